#include "schedule/jobs/placement.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

using ::testing::ElementsAre;

std::vector<Wish> wishes(std::size_t jobs, std::size_t ranks, const Placement& placement) {
  return std::vector<Wish>(jobs, {.ranks = ranks, .placement = placement});
}

TEST(Placement, CompactFillsUpInOrder) {
  const auto placed = place(8, wishes(3, 2, Compact{}));
  EXPECT_THAT(placed, ElementsAre(ElementsAre(Rank(0), Rank(1)), ElementsAre(Rank(2), Rank(3)),
                                  ElementsAre(Rank(4), Rank(5))));
}

TEST(Placement, SpreadTakesEverySoManyth) {
  const auto placed = place(8, wishes(2, 4, Spread{}));
  EXPECT_THAT(placed[0], ElementsAre(Rank(0), Rank(2), Rank(4), Rank(6)));
  EXPECT_THAT(placed[1], ElementsAre(Rank(1), Rank(3), Rank(5), Rank(7)));
}

TEST(Placement, NamedHostsAreTakenFirst) {
  const std::vector<Wish> both{{.ranks = 2}, {.ranks = 2, .placement = Named{Rank(1), Rank(0)}}};
  EXPECT_THAT(place(4, both),
              ElementsAre(ElementsAre(Rank(2), Rank(3)), ElementsAre(Rank(1), Rank(0))));
}

TEST(Placement, RandomIsTheSameForASeedAndAnyOfAll) {
  const auto placed = [](std::uint32_t seed) { return place(6, wishes(2, 3, Shuffled{seed})); };
  EXPECT_EQ(placed(5), placed(5));
  std::set<std::vector<Rank>> seen;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    auto both = placed(seed);
    seen.insert(both[0]);
    both[0].insert(both[0].end(), both[1].begin(), both[1].end());
    std::ranges::sort(both[0]);
    EXPECT_THAT(both[0], ElementsAre(Rank(0), Rank(1), Rank(2), Rank(3), Rank(4), Rank(5)));
  }
  EXPECT_GT(seen.size(), 60U) << "of 120";
}

TEST(Placement, RefusesHostsThatAreNot) {
  EXPECT_THROW(std::ignore = place(5, wishes(2, 3, Compact{})), InputError) << "too few";
  EXPECT_THROW(std::ignore = place(5, wishes(1, 2, Named{Rank(0)})), InputError);
  EXPECT_THROW(std::ignore = place(5, wishes(1, 2, Named{Rank(0), Rank(5)})), InputError);
  EXPECT_THROW(std::ignore = place(5, wishes(1, 2, Named{Rank(1), Rank(1)})), InputError);
  EXPECT_THROW(std::ignore = place(5, wishes(2, 1, Named{Rank(1)})), InputError);
}

}  // namespace
}  // namespace gradwire::jobs
