#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collectives/plan_files/plan_file.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "tests/fuzz/fuzz.h"
#include "topologies/registry.h"

/// What is done with a plan file that was read.
namespace gradwire::fuzz {

/// Runs the checker, whatever it finds, on the Plans for a few elements.
inline void try_proof(const plan_files::PlanFile& file) {
  constexpr std::size_t kMostMembers = 8;
  constexpr std::size_t kMostChunks = 64;
  if (file.members > kMostMembers || file.chunks > kMostChunks) return;
  const auto topology =
      topologies::make_topology("single-switch(" + std::to_string(file.members) + ")");
  const std::size_t elements = file.chunks + 1;
  static_cast<void>(value_of<InputError>([&] {
    check_size(file, file.members);
    return check_plans(plans_of(file, *topology, elements), goal_of(file, *topology, elements));
  }));
}

}  // namespace gradwire::fuzz
