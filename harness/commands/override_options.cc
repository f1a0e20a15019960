#include "harness/commands/override_options.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/to_number.h"
#include "harness/commands/number_options.h"
#include "harness/commands/registries.h"

namespace gradwire::commands {
namespace {

constexpr std::uint64_t kMaxIterations = 1'000'000;  // as in experiment.schema.json
constexpr double kMaxDilation = 1e6;

/// Adds an option whose text `set` turns into a value; an error of `set` is one of the command
/// line.
template <class Set>
CLI::Option* add(CLI::App& app, const std::string& names, const std::string& help, Set set) {
  const std::string longest = names.substr(names.find("--"));
  return app
      .add_option_function<std::string>(
          names,
          [set, longest](const std::string& text) {
            try {
              set(text);
            } catch (const InputError& error) {
              throw CLI::ValidationError(longest, error.what());
            }
          },
          help)
      ->type_name("");
}

/// Parses backings: "emulated" or "hosts", "simulated", or both with a comma between them.
std::vector<record::Backing> parse_backings(const std::string& text) {
  const auto refuse = [&text] {
    throw InputError(fmt::format(
        "expected emulated, hosts, simulated, or one of the first with simulated after a comma, "
        "found '{}'",
        text));
  };
  std::vector<record::Backing> backings;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto backing = record::find_backing(word);
    if (!backing || std::ranges::find(backings, *backing) != backings.end()) refuse();
    backings.push_back(*backing);
  }
  const auto measured = [](record::Backing one) { return one != record::Backing::simulated; };
  if (std::ranges::count_if(backings, measured) > 1) refuse();
  return backings;
}

}  // namespace

experiment::Dilation parse_dilation(const std::string& text) {
  if (text == "auto") return {};
  const auto factor = to_number<double>(text);
  if (!factor || !(*factor >= 1 && *factor <= kMaxDilation)) {
    throw InputError(
        fmt::format("expected auto, or a number from 1 to {}, found '{}'", kMaxDilation, text));
  }
  return {*factor};
}

Nanoseconds parse_positive_duration(const std::string& text) {
  const Nanoseconds duration = parse_duration(text);
  if (duration > Nanoseconds::zero()) return duration;
  throw InputError(fmt::format("'{}' is zero; write a time above 0", text));
}

void add_override_options(CLI::App& app, experiment::Overrides& overrides) {
  add(app, "-w,--warmup", "iterations before the measured ones",
      [&](const std::string& text) { overrides.warmup = parse_whole(text, 0, kMaxIterations); });
  add(app, "-n,--iterations", "measured iterations of every point", [&](const std::string& text) {
    overrides.iterations = parse_whole(text, 1, kMaxIterations);
  });
  add(app, "--dilation", "slow the emulated network by this factor, or auto",
      [&](const std::string& text) { overrides.dilation = parse_dilation(text); });
  add(app, "--rate", "line rate of every link, such as 10Gbit, or unlimited",
      [&](const std::string& text) { overrides.rate = experiment::parse_link_rate(text); });
  add(app, "--seed", "seed of the gradients and of the order", [&](const std::string& text) {
    overrides.seed = parse_whole(text, 0, std::numeric_limits<std::int64_t>::max());
  });
  add(app, "--timeout", "fail when nothing moves for this long, such as 10s",
      [&](const std::string& text) {
        overrides.timeout = parse_positive_duration(text);
        experiment::check_timeout(*overrides.timeout);
      });
  add(app, "--backing", "backing; simulated also beside another: emulated,simulated",
      [&](const std::string& text) { overrides.backings = parse_backings(text); })
      ->type_name("{emulated,hosts,simulated}");
  add(app, "--transport", "what carries the bytes: " + names_of("TRANSPORT"),
      [&](const std::string& text) { overrides.transport = execution::parse_transport(text); })
      ->type_name("TRANSPORT");
  add(app, "--inventory", "the hosts of backing hosts (YAML); its commands run as you",
      [&](const std::string& text) { overrides.inventory = text; })
      ->type_name("FILE");
}

}  // namespace gradwire::commands
