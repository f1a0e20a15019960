#include "harness/emulate/emulate.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text/output_file.h"
#include "harness/emulate/command_group.h"
#include "harness/emulate/counters_text.h"
#include "harness/emulate/first_failure.h"
#include "harness/emulate/host_room.h"
#include "harness/emulate/host_variables.h"
#include "harness/workers/interrupt.h"
#include "testbed/emulation.h"
#include "topologies/address_plan.h"

namespace gradwire::emulate {
namespace {

/// The user's shell, or the one that every system has.
std::string shell_of_user() {
  const char* const shell = std::getenv("SHELL");
  return shell != nullptr && *shell != '\0' ? shell : "/bin/sh";
}

/// Emulated wiring, and the commands on it.
class Emulating {
 public:
  explicit Emulating(const Options& options)
      : options_(options),
        addresses_(topologies::plan_addresses(*options.wiring)),
        emulation_(*options.wiring, addresses_, options.shape, workers::throw_if_interrupted),
        room_(emulation_, *options.wiring),
        layout_{.wiring = *options.wiring,
                .addresses = addresses_,
                .running = options.on,
                .port = options.port,
                .remote_shell = room_.remote_shell()} {}

  int run() {
    const std::string names = host_names(layout_);
    room_.write_names(names);
    if (options_.names_file) text::write_output_file(*options_.names_file, names);
    const int code = run_commands();
    if (options_.counters) fmt::print(stderr, "{}", format_counters(traffic()));
    return code;
  }

 private:
  int run_commands() {
    CommandGroup group(clock_, options_.prefixes);
    try {
      start_all(group);
    } catch (const testbed::CannotExecute& error) {
      fmt::print(stderr, "gradwire: error: {}\n", error.what());
      return exit_code_of_refusal(error.error_number());
    }
    return group.wait();
  }

  void start_all(CommandGroup& group) const {
    const bool reads = options_.on.size() == 1 && !options_.shell;
    for (const Rank host : options_.on) {
      if (options_.command.empty()) break;
      testbed::ChildProcess::Options process = options_on(host, options_.command);
      if (reads) process.input = STDIN_FILENO;
      group.start(host, std::move(process));
    }
    if (!options_.shell) return;
    testbed::ChildProcess::Options shell = options_on(*options_.shell, {shell_of_user()});
    shell.takes_terminal = options_.has_terminal;
    group.start_shell(*options_.shell, std::move(shell));
  }

  /// Options of a process on a host.
  [[nodiscard]] testbed::ChildProcess::Options options_on(Rank host,
                                                          std::vector<std::string> words) const {
    return {.arguments = std::move(words),
            .environment = variables_of(layout_, host),
            .namespace_fd = emulation_.namespace_of(host),
            .hostname = name_of(host),
            .hosts_file = room_.names_file(),
            .keeps_capabilities = true,
            .default_signals = true};
  }

  [[nodiscard]] std::vector<PortTraffic> traffic() {
    std::vector<PortTraffic> all;
    for (std::size_t i = 0; i < options_.wiring->hosts(); ++i) {
      const Rank host(i);
      const std::vector<testbed::LinkCounters> carried = emulation_.counters(host);
      const std::vector<std::uint64_t> dropped = emulation_.dropped_at_ports(host);
      for (std::size_t port = 0; port < carried.size(); ++port) {
        all.push_back({.host = host,
                       .port = Port(port),
                       .address = to_string(addresses_.nodes[i].ports[port].address),
                       .carried = carried[port],
                       .dropped = dropped[port]});
      }
    }
    return all;
  }

  const Options& options_;
  SteadyClock clock_;
  topologies::AddressPlan addresses_;
  testbed::Emulation emulation_;
  HostRoom room_;
  Layout layout_;
};

}  // namespace

int run(const Options& options) {
  ensure(!options.on.empty(), "a host runs the command");
  return Emulating(options).run();
}

}  // namespace gradwire::emulate
