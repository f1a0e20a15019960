#include "results/report/crossover.h"

#include <gtest/gtest.h>

#include "tests/results/report/layer_rows.h"

namespace gradwire::report {
namespace {

using testing::row_of;

std::vector<record::Row> rows_of(std::initializer_list<testing::LayerRow> all) {
  std::vector<record::Row> rows;
  for (const testing::LayerRow& each : all) rows.push_back(row_of(each));
  return rows;
}

// The ring takes 10 s; late-multiply 1 s for each 10 samples of both workers: they meet at 100. With
// products of 1 s against 2 s for each 40 samples a step meets where 10 + s/40 = s/10 + s/20.
TEST(Crossover, LiesOnTheLineBetweenTheNeighbours) {
  const auto rows = rows_of({{"all-gather(ring)", 30, 6, 3},
                             {"ring", 30, 10, 1.5},
                             {"all-gather(ring)", 60, 12, 6},
                             {"ring", 60, 10, 3}});
  const std::vector<Crossover> found = crossovers(rows);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].late.algorithm, "all-gather(ring)");
  EXPECT_EQ(found[0].all_reduce.algorithm, "ring");
  EXPECT_EQ(found[0].fewest, 60u);
  EXPECT_EQ(found[0].most, 120u);
  EXPECT_NEAR(found[0].gst.samples.value(), 100, 1e-9);
  EXPECT_NEAR(found[0].step.value().samples.value(), 80, 1e-9);
  EXPECT_EQ(to_string(found[0].gst, found[0]), "100.0");
}

// The order of the rows is not that of the samples, and only the neighbours of the change count.
TEST(Crossover, GoesBySamplesAndNotByTheOrderOfRows) {
  const auto rows = rows_of({{"all-gather", 40, 9},
                             {"all-gather", 10, 1},
                             {"all-gather", 30, 7},
                             {"all-gather", 20, 3},
                             {"ring", 30, 4},
                             {"ring", 10, 4},
                             {"ring", 40, 4},
                             {"ring", 20, 4}});
  const std::vector<Crossover> found = crossovers(rows);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gst.samples.value(), 45, 1e-9);  // of both workers: 2 x (20 + 10/4)
  EXPECT_FALSE(found[0].step) << "no products were formed";
}

TEST(Crossover, BeyondWhatWasComparedIsSaid) {
  const auto always = crossovers(
      rows_of({{"all-gather", 1, 1}, {"ring", 1, 5}, {"all-gather", 3, 3}, {"ring", 3, 5}}));
  ASSERT_EQ(always.size(), 1u);
  EXPECT_FALSE(always[0].gst.samples);
  EXPECT_EQ(to_string(always[0].gst, always[0]), "> 6");
  const auto never = crossovers(
      rows_of({{"all-gather", 1, 6}, {"ring", 1, 5}, {"all-gather", 3, 9}, {"ring", 3, 5}}));
  ASSERT_EQ(never.size(), 1u);
  EXPECT_EQ(to_string(never[0].gst, never[0]), "< 2");
}

TEST(Crossover, NeedsTwoNumbersOfSamplesOfBoth) {
  EXPECT_TRUE(
      crossovers(rows_of({{"all-gather", 1, 1}, {"all-gather", 2, 9}, {"ring", 1, 5}})).empty());
  EXPECT_TRUE(
      crossovers(rows_of({{"ring", 1, 5}, {"ps", 1, 5}, {"ring", 2, 5}, {"ps", 2, 5}})).empty());
}

TEST(Crossover, ComparesTheSameLayersOnTheSameWiringAndBacking) {
  auto rows = rows_of({{"all-gather", 1, 1}, {"ring", 1, 5}, {"all-gather", 9, 9}, {"ring", 9, 5}});
  ASSERT_EQ(crossovers(rows).size(), 1u);
  for (const std::size_t ring : {1u, 3u}) rows[ring].configuration.wiring = "bcube(2,1)";
  EXPECT_TRUE(crossovers(rows).empty());
  for (const std::size_t ring : {1u, 3u}) {
    rows[ring] = row_of({"ring", ring == 1 ? 1u : 9u, 5});
    rows[ring].configuration.backing = record::Backing::simulated;
  }
  EXPECT_TRUE(crossovers(rows).empty());
  rows[1] = row_of({"ring", 1, 5});
  rows[3] = row_of({"ring", 9, 5});
  rows[1].configuration.workload = "dense(inputs=101, outputs=100, samples=1)";
  EXPECT_TRUE(crossovers(rows).empty());
  rows[1].configuration.workload = "dense(from elsewhere)";
  EXPECT_TRUE(crossovers(rows).empty());
}

}  // namespace
}  // namespace gradwire::report
