#pragma once

#include <string>
#include <string_view>

#include "results/record/libraries.h"

namespace gradwire::record {

/// Source and build of this program.
struct BuildInfo {
  std::string_view version;   ///< "0.1.0"
  std::string_view commit;    ///< 40 hex digits, or "unknown"
  bool dirty;                 ///< whether tracked files differed from the commit; also when unknown
  std::string_view compiler;  ///< "GNU 12.2.0"
  std::string_view build_type;
  std::string_view flags;  ///< added to the command line by the build type
  std::string_view sanitizers;
  Libraries libraries;
};

[[nodiscard]] const BuildInfo& build_info();

/// The program's version in one line: "gradwire 0.1.0 (commit 0123456789ab, dirty; GNU 12.2.0,
/// Release)".
[[nodiscard]] std::string version_line();

}  // namespace gradwire::record
