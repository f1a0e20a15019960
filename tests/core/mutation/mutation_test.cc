#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/goal.h"
#include "core/plan_check.h"
#include "tests/core/mutation/brute_force.h"
#include "tests/core/mutation/mutate.h"
#include "tests/core/mutation/random_plans.h"

/// The checker's verdict on Plans in which something was changed is that of running them, in several
/// orders, element by element.
namespace gradwire::mutation {
namespace {

using ::testing::IsEmpty;

constexpr std::size_t kMutants = 10'000;
constexpr std::size_t kOrders = 4;

/// Any numbers that sum to `elements`.
std::vector<std::size_t> sizes(std::size_t count, std::size_t elements, Dice& dice) {
  std::vector<std::size_t> all(count, 0);
  for (std::size_t i = 0; i < elements; ++i) ++all[roll(dice, count)];
  return all;
}

struct GoalCase {
  std::string name;
  std::function<Goal(std::size_t ranks, std::size_t elements, Dice& dice)> make;
  bool everyone_begins =
      false;  ///< with all elements: there is nothing that a rank holds nothing of
};

std::ostream& operator<<(std::ostream& out, const GoalCase& one) {
  return out << one.name;
}

class Mutants : public ::testing::TestWithParam<GoalCase> {
 protected:
  [[nodiscard]] Goal any_goal() {
    return GetParam().make(2 + roll(dice_, 4), 1 + roll(dice_, 12), dice_);
  }

  Dice dice_{20261122};  // the same Plans in every run
};

TEST_P(Mutants, UnchangedPlansAreRight) {
  for (std::size_t i = 0; i < 500; ++i) {
    const Goal goal = any_goal();
    const auto plans = random_plans(goal, dice_);
    EXPECT_THAT(check_plans(plans, goal), IsEmpty());
    EXPECT_EQ(why_wrong(plans, goal, kOrders, dice_), "");
  }
}

// At least 5,000 of them wrong, and enough of them right to show that a checker which refuses
// everything would be found out.
TEST_P(Mutants, AreJudgedAsRunningThemDoes) {
  std::map<std::string, std::size_t> reasons;
  for (std::size_t i = 0; i < kMutants; ++i) {
    const Goal goal = any_goal();
    auto plans = random_plans(goal, dice_);
    for (std::size_t changes = 1 + roll(dice_, 2); changes > 0; --changes) mutate(plans, dice_);
    const std::string why = why_wrong(plans, goal, kOrders, dice_);
    const auto findings = check_plans(plans, goal);
    ++reasons[why];
    ASSERT_EQ(why.empty(), findings.empty())
        << "mutant " << i << " of " << goal.begins.size() << " ranks: run: '" << why
        << "', checked: " << fmt::format("{}", fmt::join(findings, "; "));
  }
  EXPECT_LE(reasons[""], kMutants / 2) << fmt::format("{}", reasons);
  EXPECT_GE(reasons[""], kMutants / 20) << fmt::format("{}", reasons);
  for (const char* reason : {"bounds", "unmet", "race", "incomplete"}) {
    EXPECT_GE(reasons[reason], kMutants / 200) << fmt::format("{}", reasons);
  }
  EXPECT_GT(reasons["twice"], 0u) << fmt::format("{}", reasons);
  if (!GetParam().everyone_begins) {
    EXPECT_GE(reasons["nothing"], kMutants / 200) << fmt::format("{}", reasons);
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryGoal, Mutants,
    ::testing::Values(
        GoalCase{"all_reduce", [](std::size_t n, std::size_t m, Dice&) { return all_reduce(n, m); },
                 true},
        GoalCase{"all_reduce_with_servers",
                 [](std::size_t n, std::size_t m, Dice& dice) {
                   const Rank server(roll(dice, n + 1));
                   return all_reduce(n + 1, m, {&server, 1});
                 }},
        GoalCase{"reduce_scatter",
                 [](std::size_t n, std::size_t m, Dice& dice) {
                   return reduce_scatter(parts_of(sizes(n, m, dice)));
                 },
                 true},
        GoalCase{"all_gather", [](std::size_t n, std::size_t m,
                                  Dice& dice) { return all_gather(parts_of(sizes(n, m, dice))); }},
        GoalCase{"broadcast", [](std::size_t n, std::size_t m,
                                 Dice& dice) { return broadcast(n, m, Rank(roll(dice, n))); }},
        GoalCase{"reduce",
                 [](std::size_t n, std::size_t m, Dice& dice) {
                   return reduce(n, m, Rank(roll(dice, n)));
                 },
                 true},
        GoalCase{"all_to_all", [](std::size_t n, std::size_t m,
                                  Dice& dice) { return all_to_all(n, sizes(n * n, m, dice)); }},
        GoalCase{"send",
                 [](std::size_t n, std::size_t m, Dice& dice) {
                   std::vector<Rank> group(n);
                   for (std::size_t i = 0; i < n; ++i) group[i] = Rank(i);
                   std::ranges::shuffle(group, dice);
                   group.resize(2);
                   return for_group(send(m), group, n);
                 }}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace gradwire::mutation
