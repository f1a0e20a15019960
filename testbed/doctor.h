#pragma once

#include <string>
#include <vector>

namespace gradwire::testbed {

/// One thing that the emulated backing needs of the machine.
struct Check {
  enum class State { ok, warning, missing } state = State::ok;
  std::string name;
  std::string detail;  ///< what was found
  std::string remedy;  ///< what to do about it; empty when ok
};

/// Tries out everything that the emulated backing needs, in a sandbox of its own. Takes well under
/// a second, leaves nothing behind, never throws for what is missing. Requires a single-threaded
/// caller.
[[nodiscard]] std::vector<Check> examine();

}  // namespace gradwire::testbed
