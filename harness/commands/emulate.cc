#include "harness/commands/emulate.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/caretaker.h"
#include "core/error.h"
#include "core/mtu.h"
#include "core/text/output_file.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/link_options.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/emulate/emulate.h"
#include "harness/emulate/foreground.h"
#include "harness/emulate/parse_hosts.h"
#include "harness/experiment/experiment.h"
#include "harness/workers/interrupt.h"
#include "testbed/memory_kills.h"
#include "testbed/sandbox.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

namespace gradwire::commands {
namespace {

constexpr std::uint16_t kMostPort = 65535;

/// Values of the options. CLI11 writes them to variables that must live as long as its App.
struct EmulateRequest {
  std::string wiring;
  std::string rate = "unlimited";
  std::string mtu = fmt::to_string(kDefaultMtu);
  std::optional<std::string> on;
  std::optional<std::string> shell;
  std::string port = fmt::to_string(emulate::kDefaultPort);
  std::optional<std::string> names_file;
  bool no_prefix = false;
  bool no_counters = false;
};

/// Calls `read` and returns its result; an InputError of it then names the option.
template <class Read>
auto option_value(const std::string& option, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

BitRate rate_of(const std::string& text) {
  const BitRate rate = experiment::parse_link_rate(text);
  const bool fits = rate >= experiment::kMinShapedRate && rate <= experiment::kMaxShapedRate;
  if (!rate.is_limited() || fits) return rate;
  throw InputError(fmt::format("links have from {} to {}, or are unlimited",
                               to_string(experiment::kMinShapedRate),
                               to_string(experiment::kMaxShapedRate)));
}

std::shared_ptr<const topologies::Topology> wiring_of(const std::string& name) {
  std::shared_ptr<const topologies::Topology> wiring = topologies::make_topology(name);
  const std::string objection = topologies::why_no_addresses(*wiring);
  if (!objection.empty()) {
    throw InputError(fmt::format("{} cannot be emulated: {}", wiring->name(), objection));
  }
  if (wiring->hosts() <= experiment::kMaxEmulatedHosts) return wiring;
  throw InputError(fmt::format("{} has {} hosts; a machine emulates {} at most", wiring->name(),
                               wiring->hosts(), experiment::kMaxEmulatedHosts));
}

/// The hosts that --on names; without it, all hosts.
std::vector<Rank> hosts_of(const EmulateRequest& request, std::size_t hosts) {
  return option_value("--on", [&] {
    return emulate::parse_hosts(
        request.on.value_or(hosts == 1 ? "0" : fmt::format("0-{}", hosts - 1)), hosts);
  });
}

emulate::Options options_of(const EmulateRequest& request, const ForeignCommand& foreign) {
  if (foreign.empty() && !request.shell) {
    throw InputError("give a command behind --, or --shell with a host");
  }
  emulate::Options options{.wiring = wiring_of(request.wiring), .command = foreign};
  const std::size_t hosts = options.wiring->hosts();
  const BitRate rate = option_value("--rate", [&] { return rate_of(request.rate); });
  const std::size_t mtu =
      option_value("--mtu", [&] { return parse_whole(request.mtu, kLeastMtu, kMostMtu); });
  options.shape = testbed::shape_for(rate, mtu);
  options.on = hosts_of(request, hosts);
  if (request.shell) {
    options.shell =
        option_value("--shell", [&] { return emulate::parse_host(*request.shell, hosts); });
    options.has_terminal = emulate::has_terminal();
  }
  options.port = static_cast<std::uint16_t>(
      option_value("--port", [&] { return parse_whole(request.port, 1, kMostPort); }));
  if (request.names_file) {
    text::check_writable("--hosts-file", *request.names_file);
    options.names_file = *request.names_file;
  }
  options.prefixes = !request.no_prefix;
  options.counters = !request.no_counters;
  return options;
}

int emulate_inside(const emulate::Options& options) try {
  return emulate::run(options);
} catch (const workers::Interrupted& interrupted) {
  return kSignalled + interrupted.signal();
} catch (const std::exception& error) {
  fmt::print(stderr, "gradwire: error: {}\n", error.what());
  return exit_code_of(std::current_exception());
}

int emulate_all(const emulate::Options& options) {
  const Caretaker caretaker;
  std::optional<emulate::Foreground> foreground;
  if (options.shell) foreground.emplace();
  const testbed::MemoryKills memory_kills;
  workers::note_interrupts();  // before there is a sandbox, whose first process they could not end
  const testbed::Ending ending =
      testbed::run_in_sandbox([&options] { return emulate_inside(options); });
  if (!ending.signal) return ending.exit_code;
  fmt::print(stderr, "gradwire: error: the process that emulates {}\n",
             memory_kills.explain(ending));
  return kExitRunFailed;
}

void add_options(CLI::App& command, EmulateRequest& request) {
  command.add_option("wiring", request.wiring, "the emulated wiring, such as bcube(3,2)")
      ->required()
      ->type_name("WIRING");
  const auto add = [&command](const char* name, auto& value, const std::string& help) {
    command.add_option(name, value, help)->type_name("");
  };
  add("--rate", request.rate, "line rate of every link, such as 10Gbit; default: unlimited");
  add("--mtu", request.mtu, "largest IP packet in bytes; default: " + request.mtu);
  add("--on", request.on, "the hosts that run the command, such as 0,3,5-7; default: all");
  add("--shell", request.shell, "a shell in this host, such as 4; when it ends, all ends");
  add("--port", request.port, "MASTER_PORT, where the job meets; default: " + request.port);
  command
      .add_option("--hosts-file", request.names_file,
                  "write names and addresses of all hosts, as in /etc/hosts")
      ->type_name("FILE");
  command.add_flag("--no-prefix", request.no_prefix, "print lines without their host in front");
  command.add_flag("--no-counters", request.no_counters, "print no table of the ports at the end");
}

}  // namespace

std::optional<ForeignCommand> cut_foreign(int& argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "emulate") return std::nullopt;
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    ForeignCommand words(argv + i + 1, argv + argc);
    argc = i;
    return words;
  }
  return std::nullopt;
}

void add_emulate_command(CLI::App& app, const std::optional<ForeignCommand>& foreign,
                         int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "emulate",
      "Runs any command on every host of an emulated wiring: gradwire emulate WIRING "
      "[OPTIONS] -- COMMAND...");
  auto request = std::make_shared<EmulateRequest>();
  add_options(*command, *request);
  command->footer([names = names_footer({"WIRING"})] {
    return "The command stands behind two dashes: gradwire emulate WIRING [OPTIONS] -- "
           "COMMAND...\n" +
           names();
  });
  command->callback([request, &foreign, &exit_code] {
    exit_code = emulate_all(options_of(*request, foreign.value_or(ForeignCommand())));
  });
}

}  // namespace gradwire::commands
