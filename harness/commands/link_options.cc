#include "harness/commands/link_options.h"

#include <CLI/CLI.hpp>

#include "core/units.h"
#include "harness/commands/number_options.h"
#include "harness/experiment/experiment.h"

namespace gradwire::commands {

void add_link_options(CLI::App& command, LinkOptions& options) {
  const auto with_default = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->capture_default_str();
  };
  with_default("--rate", options.rate, "line rate of every link")->check(readable(parse_bit_rate));
  with_default("--mtu", options.mtu, "largest IP packet in bytes")
      ->transform(whole_number(kLeastMtu, kMostMtu));
  with_default("--startup", options.startup, "start-up time of a message")
      ->check(readable(parse_duration));
  with_default("--delay", options.delay, "delay of a cable")->check(readable(parse_duration));
}

simulator::NetworkModel network_of(const LinkOptions& options) {
  const experiment::Experiment links{.rate = parse_bit_rate(options.rate), .mtu = options.mtu};
  return {.rate = experiment::payload_rate(links).bytes_per_second(),
          .alpha = Seconds(parse_duration(options.startup)).count(),
          .delay = Seconds(parse_duration(options.delay)).count()};
}

}  // namespace gradwire::commands
