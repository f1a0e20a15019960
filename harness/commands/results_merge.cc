#include "harness/commands/results_merge.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/caretaker.h"
#include "harness/commands/exit_code.h"
#include "harness/run/resumption.h"
#include "results/record/gain_query.h"
#include "results/record/merge.h"
#include "results/record/stored_run.h"
#include "results/record/sweep_part.h"
#include "results/report/results_json.h"
#include "results/report/run_text.h"

namespace gradwire::commands {
namespace {

namespace fs = std::filesystem;

struct MergeRequest {
  std::vector<std::string> parts;
  std::string out;
  bool incomplete = false;
};

/// Warns when points that were measured on several machines are in one table.
void tell_machines(const record::StoredRun& whole) {
  const bool measured = std::ranges::any_of(whole.points, [](const record::StoredPoint& point) {
    return point.record.configuration.backing != record::Backing::simulated;
  });
  std::set<std::string> machines;
  for (const nlohmann::json& part : whole.context.at("parts")) {
    for (std::string& name : record::machines_of(part)) machines.insert(std::move(name));
  }
  if (!measured || machines.size() < 2) return;
  fmt::print(stderr,
             "gradwire: its points were measured on {} machines: context.json says of each part on "
             "which\n",
             machines.size());
}

int merge(const MergeRequest& request) {
  const Caretaker caretaker;
  const std::vector<fs::path> parts = record::folders_of(request.parts);
  std::vector<std::string> arguments{"gradwire", "results", "merge"};
  arguments.insert(arguments.end(), request.parts.begin(), request.parts.end());
  arguments.insert(arguments.end(), {"--out", request.out});
  if (request.incomplete) arguments.emplace_back("--incomplete");
  std::optional<record::GainQuery> gains;
  record::merge_parts({.parts = parts,
                       .to = request.out,
                       .arguments = std::move(arguments),
                       .incomplete = request.incomplete,
                       .results = [&gains](const record::StoredRun& whole) {
                         gains = run::resume_experiment(whole, {}).experiment.gains;
                         return report::results_json(report::rows_of(whole), gains);
                       }});
  const record::StoredRun whole = record::read_run(request.out);
  const std::vector<record::Row> rows = report::rows_of(whole);
  fmt::print("{}", report::format_run(whole, {}, gains));
  tell_machines(whole);
  const bool wrong =
      std::ranges::any_of(rows, [](const record::Row& row) { return row.wrong.value_or(0) != 0; });
  return wrong ? kExitWrongData : kExitOk;
}

}  // namespace

void add_merge_command(CLI::App& results, int& exit_code) {
  CLI::App* command = results.add_subcommand(
      "merge", "Merges the parts of a sweep, made by gradwire run --points, into one run");
  auto request = std::make_shared<MergeRequest>();
  command
      ->add_option("folders", request->parts, "run folders of all parts, or folders of run folders")
      ->required()
      ->type_name("FOLDER");
  command->add_option("-o,--out", request->out, "the whole run's folder; must not exist")
      ->required()
      ->type_name("FOLDER");
  command->add_flag("--incomplete", request->incomplete,
                    "accept parts that did not end, such as one in which a point stalled");
  command->callback([request, &exit_code] { exit_code = merge(*request); });
}

}  // namespace gradwire::commands
