#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tests/faults/loopback/dice.h"
#include "tests/faults/loopback/scenario.h"

namespace gradwire::faults {

/// One kind of fault.
struct Case {
  std::string_view name;   ///< for the command line: "die-operation"
  std::size_t fault = 0;   ///< the number that this kind of fault has in the whole suite
  std::string_view about;  ///< what happens, for the table
  Must must = Must::complete;
  /// Draws the fault of a scenario whose ranks, Plans and elements are there.
  void (*draw)(Dice& dice, Scenario& scenario) = nullptr;
};

/// All, by rising fault.
[[nodiscard]] std::span<const Case> all_cases();

/// Run number `number` of a seed, which is of this case.
[[nodiscard]] Scenario draw(const Case& kind, std::uint64_t seed, std::size_t number);

}  // namespace gradwire::faults
