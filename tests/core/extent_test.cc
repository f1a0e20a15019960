#include "core/extent.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Extent, OverlapNeedsACommonElement) {
  EXPECT_TRUE(overlap({0, 4}, {3, 4}));
  EXPECT_TRUE(overlap({0, 10}, {4, 1}));
  EXPECT_FALSE(overlap({0, 4}, {4, 4}));
  EXPECT_FALSE(overlap({2, 0}, {0, 10})) << "an empty extent overlaps nothing";
}

// Sizes differ by at most one, the larger parts come first: 11 = 3 + 3 + 3 + 2.
TEST(Part, GivesTheRemainderToTheFirstParts) {
  const Extent whole{100, 11};
  EXPECT_EQ(part(whole, 4, 0), (Extent{100, 3}));
  EXPECT_EQ(part(whole, 4, 1), (Extent{103, 3}));
  EXPECT_EQ(part(whole, 4, 2), (Extent{106, 3}));
  EXPECT_EQ(part(whole, 4, 3), (Extent{109, 2}));
}

TEST(Part, IsEmptyWhenThereAreMorePartsThanElements) {
  EXPECT_EQ(part({0, 2}, 3, 1), (Extent{1, 1}));
  EXPECT_EQ(part({0, 2}, 3, 2), (Extent{2, 0}));
}

// The parts tile the whole: each begins where the one before ends.
TEST(Part, TilesTheWhole) {
  for (const std::size_t count : {0u, 1u, 2u, 17u, 97u, 1000u}) {
    for (const std::size_t parts : {1u, 2u, 9u, 18u, 101u}) {
      std::size_t next = 5;
      for (std::size_t i = 0; i < parts; ++i) {
        const Extent piece = part({5, count}, parts, i);
        EXPECT_EQ(piece.first, next);
        next = piece.end();
      }
      EXPECT_EQ(next, 5 + count);
    }
  }
}

TEST(PartRange, IsTheUnionOfItsParts) {
  const Extent whole{0, 23};
  EXPECT_EQ(part_range(whole, 5, 1, 4),
            (Extent{part(whole, 5, 1).first, part(whole, 5, 3).end() - part(whole, 5, 1).first}));
  EXPECT_TRUE(part_range(whole, 5, 2, 2).empty());
  EXPECT_THROW(static_cast<void>(part_range(whole, 5, 3, 6)), InternalError);
}

TEST(Merged, JoinsWhatOverlapsOrTouches) {
  EXPECT_THAT(merged({{8, 2}, {0, 3}, {3, 1}, {5, 0}, {9, 4}, {8, 1}}),
              ElementsAre(Extent{0, 4}, Extent{8, 5}));
  EXPECT_THAT(merged({{7, 0}}), IsEmpty());
}

// Either way round, against asking for every element.
TEST(Intersection, HasTheElementsOfBoth) {
  const std::vector<Extent> a{{0, 4}, {6, 1}, {10, 10}};
  const std::vector<Extent> b{{3, 4}, {9, 3}, {13, 2}, {15, 1}, {19, 9}};
  const auto covers = [](const std::vector<Extent>& extents, std::size_t element) {
    return std::ranges::any_of(extents, [&](const Extent& extent) {
      return overlap(extent, {element, 1});
    });
  };
  for (const auto& common : {intersection(a, b), intersection(b, a)}) {
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_EQ(covers(common, i), covers(a, i) && covers(b, i)) << i;
    }
    EXPECT_EQ(common.front(), (Extent{3, 1}));
  }
  EXPECT_THAT(intersection(a, {}), IsEmpty());
}

}  // namespace
}  // namespace gradwire
