#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gradwire::record {

/// What an experiment's points run on.
enum class Backing : std::uint8_t {
  emulated,   ///< namespaces and shaped links on one machine
  hosts,      ///< real hosts of an inventory
  simulated,  ///< flows in virtual time
};

/// "emulated", "hosts", "simulated": as experiments and results name them.
[[nodiscard]] std::string to_string(Backing backing);
/// Nothing for any other name.
[[nodiscard]] std::optional<Backing> find_backing(std::string_view name);
/// Throws InputError, without a place, for any other name.
[[nodiscard]] Backing parse_backing(std::string_view name);

}  // namespace gradwire::record
