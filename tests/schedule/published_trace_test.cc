#include <vector>

#include <gtest/gtest.h>

#include "schedule/collective_cost.h"
#include "schedule/optimum.h"
#include "tests/schedule/passes.h"
#include "workloads/trace.h"

/// MG-WFBP, section 6.4 (TPDS Fig. 10): GoogLeNet on 4 to 2048 K80 workers, from the authors' trace
/// and the constants of their plotting script.
namespace gradwire::schedule {
namespace {

using testing::end_of;

/// 45.25 us a message; 1.2/9 ns per bit, with binary prefixes; 2.5 ns per byte added.
constexpr Network kTraceNetwork{
    .alpha = Seconds(45.25e-6), .beta = 1.2 / (9 * 1073741824.0 / 8), .gamma = 2.5e-9};
constexpr std::size_t kWorkers[] = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
constexpr double kTraceMiB = 1048576;

/// The script takes half of the backward pass for the forward pass; so does a trace without one.
BackwardPass googlenet() {
  const workloads::Profile profile = workloads::published_trace("googlenet-k80");
  EXPECT_EQ(profile.layers.size(), 64u);
  EXPECT_EQ(profile.elements(), 13378280u);
  EXPECT_NEAR(profile.backward().count(), 201531.926e-6, 1e-12);
  EXPECT_NEAR(profile.forward().count(), profile.backward().count() / 2, 1e-12);
  return backward_pass(profile);
}

TEST(PublishedTrace, MessagesAreThoseThePaperPlots) {
  const BackwardPass pass = googlenet();
  std::vector<std::size_t> as_plotted;
  std::vector<std::size_t> as_written;
  for (const std::size_t workers : kWorkers) {
    as_plotted.push_back(mg_wfbp(pass, ring_as_plotted(workers, kTraceNetwork)).buckets.size());
    as_written.push_back(mg_wfbp(pass, ring(workers, kTraceNetwork)).buckets.size());
  }
  EXPECT_EQ(as_plotted, (std::vector<std::size_t>{10, 6, 6, 5, 3, 2, 1, 1, 1, 1}));
  EXPECT_EQ(as_written, as_plotted);
}

// Published: 1.78x and 1.35x.
TEST(PublishedTrace, GainsAt64WorkersAreThePapers) {
  const BackwardPass pass = googlenet();
  const Affine cost = ring_as_plotted(64, kTraceNetwork);
  const double merged = end_of(pass, mg_wfbp(pass, cost), cost);
  EXPECT_NEAR(end_of(pass, wfbp(pass), cost) / merged, 1.754, 0.001);
  EXPECT_NEAR(end_of(pass, synceasgd(pass), cost) / merged, 1.348, 0.001);
}

// Its trace is not published: the derived one is so long that WFBP reaches the 55 % that are printed of
// 64 workers. The paper has 33, 19, 10, 7, 5, 3 messages and then one.
TEST(PublishedTrace, OfResNet50IsAsLongAsThePapersEfficiencySays) {
  const BackwardPass pass = backward_pass(workloads::published_trace("resnet50-k80"));
  const Affine cost = ring_as_plotted(64, kTraceNetwork);
  EXPECT_NEAR(pass.end.count() / end_of(pass, wfbp(pass), cost), 0.55, 0.005);
  std::vector<std::size_t> messages;
  for (const std::size_t workers : kWorkers) {
    messages.push_back(mg_wfbp(pass, ring_as_plotted(workers, kTraceNetwork)).buckets.size());
  }
  EXPECT_EQ(messages, (std::vector<std::size_t>{30, 19, 10, 8, 5, 4, 1, 1, 1, 1}));
}

/// Iterations in ms, buckets, and what MG-WFBP takes above the optimum in percent.
struct Row {
  std::size_t workers;
  double wfbp, synceasgd, ddp, mg_wfbp;
  std::size_t mg_wfbp_buckets;
  double optimum;
  std::size_t optimum_buckets;
  double excess;
};

// Computed by other programs, from the model alone.
constexpr Row kRows[] = {
    {8, 358, 513, 394, 316, 6, 316, 6, 0.2},     {16, 419, 529, 401, 339, 6, 335, 6, 1.2},
    {32, 519, 538, 406, 361, 5, 348, 5, 3.6},    {64, 708, 544, 410, 404, 3, 367, 5, 10.2},
    {128, 1081, 552, 417, 525, 2, 392, 4, 34.0}, {256, 1823, 565, 429, 565, 1, 420, 3, 34.4},
    {512, 3306, 588, 480, 588, 1, 480, 3, 22.6}, {1024, 6272, 635, 619, 635, 1, 567, 2, 11.9},
    {2048, 12203, 728, 897, 728, 1, 712, 2, 2.2}};

void expect_row(const BackwardPass& pass, const Row& row) {
  const Affine cost = ring_as_plotted(row.workers, kTraceNetwork);
  const auto ms = [&](const Schedule& schedule) { return 1e3 * end_of(pass, schedule, cost); };
  const Schedule greedy = mg_wfbp(pass, cost);
  const Schedule best = optimum_affine(pass, cost);
  const Schedule ddp = fixed_buckets(pass, kTraceMiB, 25 * kTraceMiB);
  constexpr double kHalf = 0.51;  // of the last digit
  EXPECT_NEAR(ms(wfbp(pass)), row.wfbp, kHalf);
  EXPECT_NEAR(ms(synceasgd(pass)), row.synceasgd, kHalf);
  EXPECT_NEAR(ms(ddp), row.ddp, kHalf);
  EXPECT_NEAR(ms(greedy), row.mg_wfbp, kHalf);
  EXPECT_NEAR(ms(best), row.optimum, kHalf);
  EXPECT_NEAR(100 * (ms(greedy) / ms(best) - 1), row.excess, kHalf / 10);
  EXPECT_EQ(ddp.buckets.size(), 3u);
  EXPECT_EQ(greedy.buckets.size(), row.mg_wfbp_buckets);
  EXPECT_EQ(best.buckets.size(), row.optimum_buckets);
  EXPECT_NEAR(ms(optimum(pass, cost)), ms(best), 1e-9);
}

// The greedy rule is a third above the optimum between 128 and 256 workers.
TEST(PublishedTrace, IterationsOfEveryPolicy) {
  const BackwardPass pass = googlenet();
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.workers);
    expect_row(pass, row);
  }
}

// A collective with few start-ups makes the choice easy: with BML's 2k alpha on BCube(4,2) to
// BCube(32,2) everything but SyncEASGD stays within 2 ms of computing.
TEST(PublishedTrace, FewStartUpsLeaveNothingToGain) {
  const BackwardPass pass = googlenet();
  for (const std::size_t ports : {4u, 8u, 16u, 32u}) {
    const Affine cost = bml(ports, 2, kTraceNetwork);
    for (const Schedule& schedule : {wfbp(pass), mg_wfbp(pass, cost), optimum_affine(pass, cost)}) {
      EXPECT_NEAR(end_of(pass, schedule, cost), pass.end.count(), 2e-3) << ports;
    }
  }
}

}  // namespace
}  // namespace gradwire::schedule
