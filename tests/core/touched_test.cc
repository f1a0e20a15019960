#include "core/touched.h"

#include <gtest/gtest.h>

#include "core/goal.h"

namespace gradwire {
namespace {

// Of an all-to-all of 2 ranks and 8 elements, blocks [0, 2), [2, 4), [4, 6), [6, 8): rank 0 sends the
// first two and gets the third.
TEST(Touched, IsWhatARankBeginsOrEndsWith) {
  const Goal goal = all_to_all(2, 8);
  EXPECT_EQ(touched(goal, Rank(0), {}), (std::vector{Extent{0, 6}}));
  EXPECT_EQ(touched(goal, Rank(1), {}), (std::vector{Extent{2, 6}}));
}

// And what it passes on: of a broadcast of 8 elements rank 0 sends all; of a send from 0 to 1, rank 2
// begins and ends with nothing, and here takes [1, 3) and sends [2, 5).
TEST(Touched, IsWhatThePlanMoves) {
  const Goal goal = for_group(send(8), {Rank(0), Rank(1)}, 3);
  const Step step{.sends = {{{.rank = Rank(1)}, {2, 3}}}, .recvs = {{{.rank = Rank(0)}, {1, 2}}}};
  EXPECT_EQ(touched(goal, Rank(2), {.lanes = {{step}}}), (std::vector{Extent{1, 4}}));
  EXPECT_TRUE(touched(goal, Rank(2), {}).empty());
}

}  // namespace
}  // namespace gradwire
