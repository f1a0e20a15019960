#include "harness/commands/command_report.h"

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
#include "harness/exit_code.h"
#include "harness/experiment/text_check.h"
#include "harness/file.h"
#include "harness/page/page.h"
#include "harness/page/page_data.h"
#include "harness/store/stored_run.h"

namespace gradwire::harness {
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
  const auto figures = paper_figures(data);
  for (const auto& [name, svg] : figures) {
    ensure(fs::path(name).filename() == name, "a figure's name is a file's name");
    write_file_atomically(folder / name, svg);
  }
  fmt::print("{}: {} figures\n", folder.string(), figures.size());
}

void write_page(const nlohmann::json& data, const fs::path& path) {
  const std::string page = report_page(data);
  write_file_atomically(path, page);
  fmt::print("{}: {:.1f} MB\n", path.string(), static_cast<double>(page.size()) / 1e6);
}

int report(const ReportRequest& request) {
  const std::vector<StoredRun> runs = read_runs(folders_of(request.folders));
  const nlohmann::json data = page_data(runs, std::chrono::system_clock::now());
  if (request.data) write_file_atomically(*request.data, json_text(data) + "\n");
  if (request.paper) write_figures(data, *request.paper);
  if (request.out || !(request.paper || request.data)) {
    write_page(data, request.out.value_or("report.html"));
  }
  bool whole = true;
  for (const nlohmann::json& run : data.at("runs")) {
    for (const nlohmann::json& problem : run.at("problems")) {
      fmt::print(stderr, "gradwire: {}\n", plain_line(problem.get<std::string>()));
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
      ->required();
  command->add_option("-o,--out", request->out, "the page; default: report.html");
  command->add_option("--paper", request->paper,
                      "write the figures alone into this folder, as SVG; needs node");
  command->add_option("--data", request->data, "write what the page shows as JSON");
  command->callback([request, &exit_code] { exit_code = report(*request); });
}

}  // namespace gradwire::harness
