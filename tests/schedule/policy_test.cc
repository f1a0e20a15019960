#include "schedule/policy.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/optimum.h"
#include "tests/schedule/passes.h"

namespace gradwire::schedule {
namespace {

using testing::counts;
using ::testing::ElementsAre;
using testing::end_of;
using testing::even_pass;
using testing::pass_of;

constexpr double kMiB = 1048576;

BackwardPass sizes(std::initializer_list<double> bytes) {
  return pass_of(std::vector<double>(bytes.size(), 1), std::vector<double>(bytes));
}

TEST(Policy, SendsEveryGradientOrAllAtOnce) {
  const BackwardPass pass = even_pass(3);
  const std::vector<Bucket> each{{0, 1}, {1, 1}, {2, 1}};
  EXPECT_EQ(wfbp(pass), (Schedule{each, true}));
  EXPECT_EQ(no_overlap(pass), (Schedule{each, false}));
  EXPECT_EQ(synceasgd(pass), (Schedule{{{0, 3}}, true}));
}

// T = 2 + M. Ready at 1, 2, 3: without overlap from 3 on 3 * 3; WFBP from 1 on the same; one bucket
// 3 + 2 + 3.
TEST(Policy, PredictsThePapersBaselines) {
  const BackwardPass pass = even_pass(3);
  const Affine cost{.a = Seconds(2), .b = 1};
  EXPECT_EQ(end_of(pass, no_overlap(pass), cost), 12);
  EXPECT_EQ(end_of(pass, wfbp(pass), cost), 10);
  EXPECT_EQ(end_of(pass, synceasgd(pass), cost), 8);
}

TEST(FixedBuckets, CloseWithTheGradientThatFillsThem) {
  EXPECT_THAT(counts(fixed_buckets(sizes({4, 4, 4, 4, 4, 4, 4}), 8, 12)), ElementsAre(2, 3, 2));
  EXPECT_THAT(counts(fixed_buckets(sizes({7, 1, 11, 1, 12, 13, 1}), 8, 12)),
              ElementsAre(2, 2, 1, 1, 1));
}

TEST(FixedBuckets, TakeAGradientLargerThanTheyAre) {
  EXPECT_THAT(counts(fixed_buckets(sizes({100, 1, 100, 1}), 8, 12)), ElementsAre(1, 2, 1));
}

// PyTorch's DistributedDataParallel: 1 MiB is full with its last byte; then 25 MiB.
TEST(FixedBuckets, OfDdpHaveASmallFirst) {
  const BackwardPass pass = sizes({kMiB - 4, 4, 24 * kMiB, kMiB - 4, 4, 25 * kMiB, 4});
  EXPECT_THAT(counts(fixed_buckets(pass, kMiB, 25 * kMiB)), ElementsAre(2, 3, 1, 1));
}

TEST(FusionBuffer, ClosesBeforeWhatWouldNotFit) {
  EXPECT_THAT(counts(fusion_buffer(sizes({4, 4, 4, 4, 4, 4, 4}), 12)), ElementsAre(3, 3, 1));
  EXPECT_THAT(counts(fusion_buffer(sizes({7, 5, 1, 12, 11, 2}), 12)), ElementsAre(2, 1, 1, 1, 1));
}

TEST(FusionBuffer, SendsAloneWhatIsLargerThanItself) {
  EXPECT_THAT(counts(fusion_buffer(sizes({1, 100, 1, 1}), 12)), ElementsAre(1, 1, 2));
  EXPECT_THAT(counts(fusion_buffer(sizes({100, 1}), 12)), ElementsAre(1, 1));
}

// A cycle takes 10, T = 1 + M. Ready at 3, 8, 12, 13 and 40: the cycle of 10 sends the first two until
// 10 + 1 + 8; that of 20 the third with the fourth, which do not fit together, until 20 + 1 + 8 + 1 + 6;
// the next begins at 36, finds nothing, and that of 46 sends the last.
TEST(FusionCycles, SendWhatIsReadyWhenTheyBegin) {
  const BackwardPass pass = pass_of({3, 5, 4, 1, 27}, {4, 4, 8, 6, 1});
  const Affine cost{.a = Seconds(1), .b = 1};
  const FusionCycle cycle{.time = Seconds(10), .cap = 12};
  const Schedule schedule = fusion_cycles(pass, cost, cycle);
  EXPECT_EQ(
      schedule,
      (Schedule{
          {{0, 2, Seconds(10)}, {2, 1, Seconds(20)}, {3, 1, Seconds(20)}, {4, 1, Seconds(46)}},
          true}));
  EXPECT_EQ(end_of(pass, schedule, cost), 46 + 2);
}

// Without a time between cycles the wire is never free while something is ready.
TEST(FusionCycles, WithoutATimeTakeWhatBecameReadyMeanwhile) {
  const BackwardPass pass = pass_of({3, 5, 4, 1, 27}, {4, 4, 8, 6, 1});
  const Affine cost{.a = Seconds(1), .b = 1};
  // From 3 to 8; from 8 to 13, when two more are there.
  EXPECT_THAT(counts(fusion_cycles(pass, cost, {.time = Seconds(0), .cap = 100})),
              ElementsAre(1, 1, 2, 1));
}

TEST(FusionCycles, SendAloneWhatIsLargerThanTheBuffer) {
  const Affine cost{.a = Seconds(1), .b = 1};
  EXPECT_THAT(counts(fusion_cycles(sizes({1, 100, 1, 1}), cost, {.time = Seconds(9), .cap = 12})),
              ElementsAre(1, 1, 2));
}

// T = 2 + M. Gaps of 1, 3, 1 after readiness at 1: the first takes the second, but not the third.
// They are sent from 2 to 6; the third, ready at 5, can start at 6, when the fourth is there.
TEST(MgWfbp, MergesWhatIsReadyBeforeAStartUpTimeIsOver) {
  const BackwardPass pass = pass_of({1, 1, 3, 1}, {1, 1, 1, 1});
  const Affine cost{.a = Seconds(2), .b = 1};
  EXPECT_THAT(counts(mg_wfbp(pass, cost)), ElementsAre(2, 2));
  EXPECT_EQ(end_of(pass, mg_wfbp(pass, cost), cost), 10);
}

// Eq. 38 says "less than a": a gap of exactly a merges nothing.
TEST(MgWfbp, DoesNotMergeAtExactlyAStartUpTime) {
  EXPECT_EQ(counts(mg_wfbp(even_pass(4), {.a = Seconds(1)})), std::vector<std::size_t>(4, 1));
  EXPECT_EQ(counts(mg_wfbp(even_pass(4), {.a = Seconds(1.001)})), std::vector<std::size_t>{4});
}

// Then a gap below 0 is needed: a gradient that became ready while the wire was busy, and so costs
// nothing to take along.
TEST(MgWfbp, WithoutAStartUpTimeMergesOnlyWhatHasWaited) {
  EXPECT_EQ(mg_wfbp(even_pass(5), {.b = 0.5}), wfbp(even_pass(5)));
  const Affine slow{.b = 100};
  EXPECT_THAT(counts(mg_wfbp(even_pass(5), slow)), ElementsAre(1, 4));
  EXPECT_EQ(end_of(even_pass(5), mg_wfbp(even_pass(5), slow), slow), 1 + 5 * 100);
}

// The smallest counter-example to Theorem 1. Greedy: {1,2} from 2 to 6, {3} to 9. But {1} from 1 to
// 4, {2,3} from 4 to 8.
TEST(MgWfbp, IsNotOptimal) {
  const BackwardPass pass = pass_of({1, 1, 2}, {1, 1, 1});
  const Affine cost{.a = Seconds(2), .b = 1};
  EXPECT_THAT(counts(mg_wfbp(pass, cost)), ElementsAre(2, 1));
  EXPECT_EQ(end_of(pass, mg_wfbp(pass, cost), cost), 9);
  EXPECT_THAT(counts(optimum_affine(pass, cost)), ElementsAre(1, 2));
  EXPECT_EQ(end_of(pass, optimum_affine(pass, cost), cost), 8);
  EXPECT_EQ(optimum(pass, cost), optimum_affine(pass, cost));
}

// 21 % more: {1,2} from 4 to 12, {3} to 17 against {1} from 1 to 8, {2,3} to 14.
TEST(MgWfbp, LosesAFifthOnThreeLayers) {
  const BackwardPass pass = pass_of({1, 3, 4}, {3, 1, 1});
  const Affine cost{.a = Seconds(4), .b = 1};
  EXPECT_EQ(end_of(pass, mg_wfbp(pass, cost), cost), 17);
  EXPECT_EQ(end_of(pass, optimum_affine(pass, cost), cost), 14);
}

// L gaps just under a, each gradient sent in a gap: greedy waits for all, L a + a + L a. The
// optimum never waits long: with buckets of 1, 2, 3, ... gradients it ends at L a + O(sqrt L) a.
TEST(MgWfbp, CostsNearlyTwiceTheOptimumAtWorst) {
  const Affine cost{.a = Seconds(1 + 1e-6), .b = 1};
  const auto ratio = [&](std::size_t layers) {
    const BackwardPass pass = even_pass(layers);
    EXPECT_EQ(mg_wfbp(pass, cost), synceasgd(pass));
    const double greedy = end_of(pass, mg_wfbp(pass, cost), cost);
    EXPECT_NEAR(greedy, 2.0 * static_cast<double>(layers) + 1, 1e-5);
    return greedy / end_of(pass, optimum_affine(pass, cost), cost);
  };
  EXPECT_NEAR(ratio(20), 41.0 / 27, 1e-5);
  EXPECT_NEAR(ratio(100), 201.0 / 115, 1e-5);
  EXPECT_NEAR(ratio(10000), 1.97, 0.005);
}

// Line 13 takes tau_b[1] and tau_b[0] for 0: from the third last gradient on everything merges, so
// also where a gap of 100 against a start-up time of 1 forbids it.
TEST(MgWfbpInfocom, MergesTheLastThreeUnderAllCircumstances) {
  const BackwardPass pass = pass_of({100, 100, 100, 100, 100}, {1, 1, 1, 1, 1});
  const Affine cost{.a = Seconds(1), .b = 1};
  EXPECT_EQ(mg_wfbp(pass, cost), wfbp(pass));
  EXPECT_THAT(counts(mg_wfbp_infocom(pass, cost)), ElementsAre(1, 1, 3));
}

TEST(MgWfbpInfocom, HasOneBucketForUpToThreeLayers) {
  for (const std::size_t layers : {1u, 2u, 3u}) {
    EXPECT_EQ(mg_wfbp_infocom(even_pass(layers), {.b = 1}), synceasgd(even_pass(layers)));
  }
}

// Before those, the same rule.
TEST(MgWfbpInfocom, OtherwiseMergesAsTpdsDoes) {
  const BackwardPass pass = pass_of({1, 1, 3, 1, 9, 1, 5}, {1, 1, 1, 1, 1, 1, 1});
  const Affine cost{.a = Seconds(2), .b = 1};
  EXPECT_THAT(counts(mg_wfbp(pass, cost)), ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(counts(mg_wfbp_infocom(pass, cost)), ElementsAre(2, 2, 3));
}

}  // namespace
}  // namespace gradwire::schedule
