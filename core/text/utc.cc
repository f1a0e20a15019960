#include "core/text/utc.h"

#include <fmt/chrono.h>

namespace gradwire::text {

std::string format_utc(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace gradwire::text
