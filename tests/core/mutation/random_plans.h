#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"

namespace gradwire::mutation {

using Dice = std::mt19937_64;

/// 0 .. below-1, all equally likely. Requires below > 0.
inline std::size_t roll(Dice& dice, std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(dice);
}
/// Whether something that happens so many times in a hundred happens.
inline bool happens(Dice& dice, std::size_t percent) {
  return roll(dice, 100) < percent;
}

/// Plans of all ranks that reach the goal in a way that nobody would choose: for every run of
/// elements, a random tree sums what its beginners hold at a rank that need not be one of them, and
/// another random tree takes it to those who end with it. Ranks that have nothing to do with it
/// relay, steps stay empty, and some elements have a lane of their own.
[[nodiscard]] std::vector<Plan> random_plans(const Goal& goal, Dice& dice);

}  // namespace gradwire::mutation
