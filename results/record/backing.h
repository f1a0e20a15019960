#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gradwire::record {

/// Testbed that an experiment's points run on.
enum class Backing : std::uint8_t {
  emulated,   ///< namespaces and shaped links on one machine
  hosts,      ///< real hosts of an inventory
  simulated,  ///< flows in virtual time
};

/// The backing's name in experiments and results: "emulated", "hosts", "simulated".
[[nodiscard]] std::string to_string(Backing backing);
/// Finds the backing of this name; nothing for any other name.
[[nodiscard]] std::optional<Backing> find_backing(std::string_view name);
/// Parses a backing's name. Throws InputError, without a place, for any other name.
[[nodiscard]] Backing parse_backing(std::string_view name);

}  // namespace gradwire::record
