#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "collectives/plan_files/plan_file.h"
#include "core/plan_check.h"
#include "topologies/registry.h"

/// What tests of plan files do with what they read.
namespace gradwire::plan_files::testing {

/// What the checker finds wrong with the file's Plans on one switch.
inline std::vector<std::string> findings(const PlanFile& file, std::size_t elements) {
  const auto topology =
      topologies::make_topology("single-switch(" + std::to_string(file.members) + ")");
  return check_plans(plans_of(file, *topology, elements), goal_of(file, *topology, elements));
}

/// How many messages there are in all, and how many steps.
struct Size {
  std::size_t messages = 0;
  std::size_t steps = 0;
  friend bool operator==(const Size&, const Size&) = default;
};
inline Size size_of(const PlanFile& file) {
  Size size;
  for (const FileLane& lane : file.lanes) {
    size.steps = std::max(size.steps, lane.size());
    for (const FileStep& step : lane) size.messages += step.size();
  }
  return size;
}

/// Element counts below, at and around the number of chunks.
inline std::vector<std::size_t> awkward_counts(const PlanFile& file) {
  return {1, file.chunks, file.chunks + 1, 7 * file.chunks, 1009};
}

}  // namespace gradwire::plan_files::testing
