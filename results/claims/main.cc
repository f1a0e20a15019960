#include <exception>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/standard_streams.h"
#include "results/claims/read_runs.h"
#include "results/claims/table.h"

namespace {

constexpr int kExitContradicted = 1;
constexpr int kExitInput = 2;

int print_claims(const std::filesystem::path& folder, bool as_json) {
  using namespace gradwire::claims;
  const FoundRuns found = read_runs(folder);
  const auto judged = judge_all(found.runs);
  if (as_json) {
    nlohmann::json document = to_json(judged);
    document["problems"] = found.problems;
    fmt::print("{}\n", document.dump(1));
  } else {
    fmt::print("{}\n{} runs in {}\n", format_table(judged), found.runs.all().size(),
               folder.string());
    for (const std::string& problem : found.problems) fmt::print("{}\n", problem);
  }
  if (any_contradicted(judged)) return kExitContradicted;
  return found.problems.empty() ? 0 : kExitInput;
}

}  // namespace

int main(int argc, char** argv) {
  gradwire::open_standard_streams();
  CLI::App app("Puts the papers' claims beside what was computed, simulated and measured here.");
  std::string folder = "results/published";
  bool as_json = false;
  app.add_option("--from", folder, "a folder of run folders, each named after its experiment")
      ->capture_default_str();
  app.add_flag("--json", as_json, "print JSON");
  CLI11_PARSE(app, argc, argv);
  try {
    return print_claims(folder, as_json);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gradwire-claims: {}\n", error.what());
    return kExitInput;
  }
}
