#include "harness/commands/report.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/output_file.h"
#include "core/text/text_check.h"
#include "harness/commands/configured_plans.h"
#include "harness/commands/exit_code.h"
#include "harness/run/simulated/timeline_remaker.h"
#include "results/record/stored_run.h"
#include "results/report/page/page.h"
#include "results/report/page/page_data.h"

namespace gradwire::commands {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::vector<std::string> folders;
  std::optional<std::string> out;
  std::optional<std::string> paper;
  std::optional<std::string> data;
};

void write_figures(const nlohmann::json& data, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw SystemError("create folder " + folder.string(), error.value());
  const auto figures = report::paper_figures(data);
  for (const auto& [name, svg] : figures) {
    ensure(fs::path(name).filename() == name, "a figure's name is a file's name");
    text::write_output_file(folder / name, svg);
  }
  fmt::print("{}: {} figures\n", folder.string(), figures.size());
}

void write_page(const nlohmann::json& data, const fs::path& path) {
  const std::string page = report::report_page(data);
  text::write_output_file(path, page);
  fmt::print("{}: {:.1f} MB\n", path.string(), static_cast<double>(page.size()) / 1e6);
}

int report(const ReportRequest& request) {
  const std::vector<record::StoredRun> runs =
      record::read_runs(record::folders_of(request.folders));
  run::TimelineRemaker remaker;
  const report::PageMakers makers{
      .plans = configured_plans,
      .timelines = [&](const record::StoredRun& run, const record::StoredPoint& point) {
        return remaker.remake(run, point);
      }};
  const nlohmann::json data = report::page_data(runs, makers, std::chrono::system_clock::now());
  if (request.data) text::write_output_file(*request.data, report::json_text(data) + "\n");
  if (request.paper) write_figures(data, *request.paper);
  if (request.out || !(request.paper || request.data)) {
    write_page(data, request.out.value_or("report.html"));
  }
  bool whole = true;
  for (const nlohmann::json& run : data.at("runs")) {
    for (const nlohmann::json& problem : run.at("problems")) {
      fmt::print(stderr, "gradwire: {}\n", text::plain_line(problem.get<std::string>()));
      whole = false;
    }
  }
  return whole ? kExitOk : kExitUsage;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("report", "Makes a page that shows one or several runs, in one file");
  auto request = std::make_shared<ReportRequest>();
  command->add_option("folders", request->folders, "run folders, or folders of run folders")
      ->required()
      ->type_name("FOLDER");
  command->add_option("-o,--out", request->out, "the page; default: report.html")
      ->type_name("FILE");
  command
      ->add_option("--paper", request->paper,
                   "write the figures alone into this folder, as SVG; needs node")
      ->type_name("FOLDER");
  command->add_option("--data", request->data, "write the data of the page as JSON")
      ->type_name("FILE");
  command->callback([request, &exit_code] { exit_code = report(*request); });
}

}  // namespace gradwire::commands
