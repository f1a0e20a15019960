#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

/// Any command, on every host of an emulated wiring.
namespace gradwire::emulate {

/// torchrun's.
inline constexpr std::uint16_t kDefaultPort = 29500;

/// What is emulated, and what runs there.
struct Options {
  std::shared_ptr<const topologies::Topology> wiring;
  testbed::LinkShape shape;
  std::vector<std::string> command;  ///< empty: none, only the shell
  std::vector<Rank> on;              ///< the hosts that run the command, ascending; at least one
  std::optional<Rank> shell;         ///< the host of an interactive shell
  bool has_terminal = false;         ///< which the shell may take (foreground.h)
  std::uint16_t port = kDefaultPort;
  std::optional<std::filesystem::path>
      names_file;        ///< where hosts' names and addresses are written
  bool prefixes = true;  ///< before lines
  bool counters = true;  ///< printed at the end
};

/// Builds the wiring, runs the command on its hosts, and returns the exit code to end with. Prints
/// what the commands print, and the ports' counters to stderr. Must run inside
/// testbed::run_in_sandbox, with workers::note_interrupts() before. Throws InputError when the
/// wiring has no addresses, Interrupted while it is built, SystemError.
[[nodiscard]] int run(const Options& options);

}  // namespace gradwire::emulate
