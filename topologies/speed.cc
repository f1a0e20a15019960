#include "topologies/speed.h"

#include <fmt/core.h>

namespace gradwire::topologies {

std::string speed_suffix(double speed) {
  return speed == 1 ? std::string() : fmt::format(",speed={}", speed);
}

}  // namespace gradwire::topologies
