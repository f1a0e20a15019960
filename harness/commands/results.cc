#include "harness/commands/results.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/text/file.h"
#include "core/text/schemas.h"
#include "core/text/table.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/results_import.h"
#include "harness/commands/results_merge.h"
#include "harness/commands/table_options.h"
#include "results/record/evidence.h"
#include "results/record/stored_run.h"
#include "results/report/csv.h"
#include "results/report/metrics/row_schema.h"
#include "results/report/page/page_data.h"
#include "results/report/prediction/causes.h"
#include "results/report/prediction/computed_jobs.h"
#include "results/report/prediction/prediction_report.h"
#include "results/report/run_text.h"

namespace gradwire::commands {
namespace {

constexpr std::array kHeadings = std::to_array<text::Heading>({
    {"run", "", true},
    {"started", "", true},
    {"status", "", true},
    {"points"},
    {"planned"},
    {"samples"},
    {"#wrong"},
    {"problems"},
    {"folder", "", true},
});

/// Most bytes of a file of causes.
constexpr std::size_t kLongestCauses = 1 << 20;

int exit_code_for(const std::vector<record::StoredRun>& runs) {
  int exit_code = kExitOk;
  for (const record::StoredRun& run : runs) {
    fmt::print(stderr, "{}", report::format_problems(run));
    if (!run.problems.empty()) exit_code = kExitUsage;
  }
  return exit_code;
}

std::vector<std::string> cells(const record::StoredRun& run) {
  std::size_t samples = 0;
  std::int64_t wrong = 0;
  for (const record::StoredPoint& point : run.points) {
    samples += point.gst.size();
    wrong += point.row.wrong.value_or(0);
  }
  return {run.name,
          run.started.empty() ? "-" : run.started,
          std::string(to_string(run.status)),
          fmt::to_string(run.points.size()),
          fmt::to_string(run.planned),
          fmt::to_string(samples),
          fmt::to_string(wrong),
          fmt::to_string(run.problems.size()),
          run.folder.string()};
}

int list(const std::vector<std::string>& paths) {
  const std::vector<record::StoredRun> runs = record::read_runs(record::folders_of(paths));
  std::vector<std::vector<std::string>> lines;
  for (const record::StoredRun& run : runs) lines.push_back(cells(run));
  fmt::print("{}", text::format_columns(kHeadings, lines));
  return exit_code_for(runs);
}

int show(const std::vector<std::string>& paths, const report::RunForm& form) {
  const std::vector<record::StoredRun> runs = record::read_runs(record::folders_of(paths));
  for (const record::StoredRun& run : runs) {
    const std::string text = report::format_run(run, form);
    fmt::print("{}", text.empty() ? fmt::format("# {}: nothing was measured\n", run.name) : text);
  }
  return exit_code_for(runs);
}

int export_csv(const std::vector<std::string>& paths) {
  const std::vector<record::StoredRun> runs = record::read_runs(record::folders_of(paths));
  fmt::print("{}", report::format_csv(runs));
  return exit_code_for(runs);
}

/// The causes in the folders that are named, not in those below them.
report::Causes causes_in(const std::vector<std::string>& paths) {
  report::Causes causes;
  for (const std::string& path : paths) {
    const std::filesystem::path file = std::filesystem::path(path) / report::kCausesFile;
    if (std::filesystem::exists(file)) {
      causes.merge(
          report::parse_causes(text::read_input_file(file, kLongestCauses), file.string()));
    }
  }
  return causes;
}

int predictions(const std::vector<std::string>& paths) {
  const std::vector<record::StoredRun> runs = record::read_runs(record::folders_of(paths));
  fmt::print("{}", report::format_predictions(runs, causes_in(paths)));
  fmt::print("{}", report::format_computed_jobs(runs));
  return exit_code_for(runs);
}

/// The schema of that name in results/schema/; results.json's is made from the metrics.
std::string schema(const std::string& name) {
  return name == "results" ? report::results_schema() : std::string(text::schema(name));
}

void add_evidence(CLI::App& results, int& exit_code) {
  CLI::App* command = results.add_subcommand(
      "evidence",
      "Copies a run without results.json and simulated timelines, which can be made again");
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  command->add_option("from", *from, "run folder")->required();
  command->add_option("to", *to, "folder to be made")->required();
  command->callback([from, to, &exit_code] {
    record::copy_evidence(*from, *to);
    fmt::print("{}: {:.2f} of {:.2f} MB\n", *to, static_cast<double>(record::bytes_in(*to)) / 1e6,
               static_cast<double>(record::bytes_in(*from)) / 1e6);
    exit_code = kExitOk;
  });
}

void add_schema(CLI::App& results, int& exit_code) {
  CLI::App* command =
      results.add_subcommand("schema", "Prints the JSON Schema of a kind of file, or their names");
  auto name = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const text::Schema& schema : text::schemas()) names.emplace_back(schema.name);
  command->add_option("name", *name, "kind of file, such as sample")->check(CLI::IsMember(names));
  command->callback([name, names, &exit_code] {
    fmt::print("{}", name->empty() ? fmt::format("{}\n", fmt::join(names, "\n")) : schema(*name));
    exit_code = kExitOk;
  });
}

using Reading = std::function<int(const std::vector<std::string>& paths)>;

CLI::App* add_reading(CLI::App& results, const char* name, const char* help, int& exit_code,
                      Reading reading) {
  CLI::App* command = results.add_subcommand(name, help);
  auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("folders", *paths, "run folders, or folders of run folders")
      ->default_val(std::vector<std::string>{"results/runs"})
      ->type_name("FOLDER");
  command->callback(
      [paths, reading = std::move(reading), &exit_code] { exit_code = reading(*paths); });
  return command;
}

}  // namespace

void add_results_command(CLI::App& app, int& exit_code) {
  CLI::App* results =
      app.add_subcommand("results", "Shows, exports, merges and copies results of runs");
  results->require_subcommand(1);
  add_reading(*results, "list", "A line per run", exit_code, list);
  const auto form = std::make_shared<report::RunForm>();
  add_table_options(
      *add_reading(*results, "show", "The tables of runs, as they were printed", exit_code,
                   [form](const auto& paths) { return show(paths, *form); }),
      *form);
  add_reading(*results, "export", "A row per point, for spreadsheets and programs", exit_code,
              export_csv)
      ->add_flag("--csv")
      ->description("comma-separated values, the only format");
  add_reading(*results, "predictions", "Errors of predictions against measured times", exit_code,
              predictions);
  add_merge_command(*results, exit_code);
  add_import_command(*results, exit_code);
  add_evidence(*results, exit_code);
  add_schema(*results, exit_code);
}

}  // namespace gradwire::commands
