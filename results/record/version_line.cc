#include <fmt/core.h>

#include "results/record/build_info.h"

namespace gradwire::record {

std::string version_line() {
  const BuildInfo& info = build_info();
  return fmt::format("gradwire {} (commit {}{}; {}, {})", info.version, info.commit.substr(0, 12),
                     info.dirty ? ", dirty" : "", info.compiler, info.build_type);
}

}  // namespace gradwire::record
