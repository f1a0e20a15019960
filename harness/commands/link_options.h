#pragma once

#include <cstddef>
#include <string>

#include "core/mtu.h"
#include "simulator/simulation.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Least and most that an MTU may be, as in experiment.schema.json.
inline constexpr std::size_t kLeastMtu = 576;
inline constexpr std::size_t kMostMtu = 65535;

/// Options of the command line for the links of a simulation.
struct LinkOptions {
  std::string rate = "10Gbit";
  std::size_t mtu = kDefaultMtu;
  std::string startup = "0s";
  std::string delay = "0s";
};

/// Adds --rate, --mtu, --startup and --delay. `options` must outlive the parsing.
void add_link_options(CLI::App& command, LinkOptions& options);

/// The links of a simulation with these options. Headers take their share of the rate. Throws
/// InputError for a text that is no rate or time.
[[nodiscard]] simulator::NetworkModel network_of(const LinkOptions& options);

}  // namespace gradwire::commands
