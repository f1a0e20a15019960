#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "core/error.h"
#include "core/standard_streams.h"
#include "tests/faults/loopback/own_network.h"
#include "tests/faults/loopback/suite.h"

/// The part of the fault suite that needs no emulation: ranks in one process over the loopback
/// interface.
namespace {

using namespace gradwire;
using faults::Case;

constexpr const char* kAbout =
    "Runs synchronizations over the loopback interface in which something goes wrong, drawn from a "
    "seed, and judges whether the culprit is named. Ends with 1 when a run hangs, when a wrong sum "
    "is accepted, or when more than 1 % of a case's runs, and more than one, end otherwise than "
    "they "
    "must.";

/// Cases by their names, or by the numbers of their faults.
std::vector<const Case*> chosen(const std::vector<std::string>& names) {
  std::vector<const Case*> cases;
  for (const Case& each : faults::all_cases()) {
    const bool is_wanted = names.empty() || std::ranges::any_of(names, [&](const auto& name) {
                             return name == each.name || name == fmt::to_string(each.fault);
                           });
    if (is_wanted) cases.push_back(&each);
  }
  if (cases.empty()) throw InputError("no such case; there are those that --list shows");
  return cases;
}

/// "2/5".
void read_part(const std::string& text, faults::Suite::Options& options) {
  char slash = ' ';
  std::istringstream words(text);
  const bool is_read = static_cast<bool>(words >> options.part >> slash >> options.parts);
  if (!is_read || slash != '/' || options.part < 1 || options.part > options.parts) {
    throw InputError("--part takes I/N, 1 <= I <= N");
  }
}

/// Strangers come by the hundreds, and both ends of all connections are here.
void raise_descriptor_limit() {
  rlimit limit{};
  checked(::getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
  limit.rlim_cur = limit.rlim_max;
  checked(::setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

void list_cases() {
  for (const Case& each : faults::all_cases()) {
    fmt::print("{:2}  {:20}{}\n", each.fault, each.name, each.about);
  }
}

struct Arguments {
  faults::Suite::Options suite;
  std::vector<std::string> only;
  std::string part;
  double seconds = 0;
  std::size_t number = 0;
  std::string json;
  bool as_markdown = false;
  bool lists = false;
};

void add_options(CLI::App& app, Arguments& arguments) {
  const std::map<std::string, faults::Canary> canaries{{"wrong-sum", faults::Canary::wrong_sum},
                                                       {"culprit", faults::Canary::culprit},
                                                       {"hang", faults::Canary::hang}};
  app.add_option("--runs", arguments.suite.runs, "how many")->capture_default_str();
  app.add_option("--seed", arguments.suite.seed, "what they are drawn from")->capture_default_str();
  app.add_option("--only", arguments.only, "cases, by name or by number of the fault")
      ->delimiter(',');
  app.add_option("--part", arguments.part, "I/N: of N parts that make all runs, the I-th");
  app.add_option("--for", arguments.seconds, "go on for so many seconds, however many runs");
  app.add_option("--number", arguments.number, "this run alone");
  app.add_option("--jobs", arguments.suite.jobs, "runs beside each other")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--json", arguments.json, "write the counts and times into this file");
  app.add_flag("--markdown", arguments.as_markdown, "print the table as Markdown");
  app.add_flag("--list", arguments.lists, "print the cases");
  app.add_option("--canary", arguments.suite.canary, "make this go wrong, to see it found")
      ->transform(CLI::CheckedTransformer(canaries));
}

int run_suite(const CLI::App& app, Arguments& arguments) {
  faults::Suite::Options& options = arguments.suite;
  options.cases = chosen(arguments.only);
  if (!arguments.part.empty()) read_part(arguments.part, options);
  if (arguments.seconds > 0) {
    options.time = std::chrono::duration_cast<Nanoseconds>(Seconds(arguments.seconds));
  }
  if (app.count("--number") > 0) options.alone = arguments.number;
  raise_descriptor_limit();
  static_cast<void>(faults::enter_own_network());
  faults::Suite suite(options);
  suite.run();
  const faults::Tally& tally = suite.tally();
  fmt::print("{}", tally.table(arguments.as_markdown));
  fmt::print("seed {}, part {} of {}\n", options.seed, options.part, options.parts);
  if (!arguments.json.empty()) {
    auto document = tally.to_json();
    document["seed"] = options.seed;
    document["part"] = fmt::format("{}/{}", options.part, options.parts);
    std::ofstream file(arguments.json);
    if (!(file << document.dump(1) << '\n' << std::flush)) {
      throw SystemError("write " + arguments.json, errno);
    }
  }
  return tally.is_good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  CLI::App app(kAbout);
  Arguments arguments;
  add_options(app, arguments);
  CLI11_PARSE(app, argc, argv);
  if (arguments.lists) {
    list_cases();
    return 0;
  }
  try {
    return run_suite(app, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "loopback_faults: {}\n", error.what());
    return 2;
  }
}
