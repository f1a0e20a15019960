#include "results/record/point_name.h"

#include <fmt/core.h>

namespace gradwire::record {

std::string point_name(const Configuration& configuration) {
  const Configuration& c = configuration;
  std::string name = fmt::format("{} on {}, ", c.algorithm, c.wiring);
  name += c.workload.empty() ? fmt::format("{} elements", c.elements) : c.workload;
  if (c.batch > 0) name += fmt::format(", batch {}", c.batch);
  if (c.schedule != "none") name += fmt::format(", {}", c.schedule);
  return name + fmt::format(", {}", to_string(c.backing));
}

}  // namespace gradwire::record
