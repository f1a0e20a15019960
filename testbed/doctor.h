#pragma once

#include <string>
#include <vector>

namespace gradwire::testbed {

/// Result of checking one requirement of the emulated backing.
struct Check {
  enum class State { ok, warning, missing } state = State::ok;
  std::string name;
  std::string detail;  ///< finding of the check
  std::string remedy;  ///< advice on what to do about it; empty when ok
};

/// Checks everything that the emulated backing needs of the machine, in a sandbox of its own. Takes
/// well under a second, leaves nothing behind, never throws because something is missing. Requires
/// a single-threaded caller.
[[nodiscard]] std::vector<Check> examine();

}  // namespace gradwire::testbed
