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

/// Emulation of a wiring on whose hosts any command runs.
namespace gradwire::emulate {

/// Default port at which a job meets, which is torchrun's.
inline constexpr std::uint16_t kDefaultPort = 29500;

/// Options of an emulation: the wiring, and the commands that run there.
struct Options {
  std::shared_ptr<const topologies::Topology> wiring;
  testbed::LinkShape shape;
  std::vector<std::string> command;  ///< empty: none, only the shell
  std::vector<Rank> on;              ///< hosts that run the command, ascending; at least one
  std::optional<Rank> shell;         ///< host of an interactive shell
  bool has_terminal = false;         ///< whether the shell may take it (foreground.h)
  std::uint16_t port = kDefaultPort;
  std::optional<std::filesystem::path>
      names_file;        ///< file to which hosts' names and addresses are written
  bool prefixes = true;  ///< whether lines begin with their host
  bool counters = true;  ///< whether they are printed at the end
};

/// Builds the wiring, runs the command on its hosts, and returns the exit code for this program.
/// Prints the commands' output, and the ports' counters to stderr. Must run inside
/// testbed::run_in_sandbox, with workers::note_interrupts() before. Throws InputError when the
/// wiring has no addresses, Interrupted while it is built, SystemError.
[[nodiscard]] int run(const Options& options);

}  // namespace gradwire::emulate
