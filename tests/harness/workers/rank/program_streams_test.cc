#include "harness/workers/rank/program_streams.h"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/schedule/jobs/jobs.h"
#include "transport/endpoint.h"

/// Programs on one rank, whose calls are made by functions of the test.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;

class Streams : public ::testing::Test {
 protected:
  record::RankProgram run(const jobs::Program& program, const ProgramRun& run,
                          ProgramStreams::Perform perform = {}, double dilation = 1) {
    if (!perform) perform = [](std::size_t, std::size_t) {};
    ProgramStreams streams(program, dilation, std::move(perform),
                           {.clock = clock_, .cancellation = cancellation_});
    return streams.run(run);
  }

  SteadyClock clock_;
  transport::Cancellation cancellation_;
};

jobs::Node calling(std::uint32_t stream, std::vector<std::uint32_t> after = {}) {
  return call(Collective::all_reduce, 0, 1, stream, std::move(after));
}

/// Streams 0, 1 and 2; 3 and 5 come after nodes of other streams.
jobs::Program diamond() {
  return {.name = "p",
          .nodes = {compute(1e-3), calling(0), compute(2e-3, 1), calling(1, {0}), compute(0, 2),
                    compute(1e-3, 2, {1, 3})}};
}

/// A node's start is no earlier than the end of each that it comes after, and of the one before it on its
/// stream; computing takes its time at least; and what held it up is one of these, over when it began or
/// just before.
TEST_F(Streams, ObeyTheEdges) {
  const jobs::Program program = diamond();
  const TimePoint start = clock_.now();
  const record::RankProgram ran = run(program, {.start = start, .iterations = 3, .counted = 2});
  ASSERT_EQ(ran.ends.size(), 2U);
  ASSERT_EQ(ran.nodes.size(), 6U);
  const std::vector<std::vector<std::size_t>> befores{{}, {0}, {}, {2, 0}, {}, {4, 1, 3}};
  for (std::size_t node = 0; node < befores.size(); ++node) {
    EXPECT_GE(ran.nodes[node].start, ran.ends[0]) << "of the iteration before";
    for (const std::size_t before : befores[node]) {
      EXPECT_GE(ran.nodes[node].start, ran.nodes[before].end) << before << " before " << node;
    }
    const std::uint32_t cause = ran.nodes[node].cause;
    if (befores[node].empty()) {
      EXPECT_EQ(cause, record::RankNode::kNone);
      EXPECT_EQ(ran.nodes[node].start, ran.ends[0]);
      continue;
    }
    for (const std::size_t before : befores[node]) {
      EXPECT_GE(ran.nodes[cause].end, ran.nodes[before].end) << node << " waits for the last";
    }
  }
  EXPECT_GE(ran.nodes[0].end - ran.nodes[0].start, 1ms);
  EXPECT_GE(ran.nodes[2].end - ran.nodes[2].start, 2ms);
  EXPECT_EQ(ran.nodes[4].end, ran.nodes[4].start) << "no time, no wait";
  EXPECT_EQ(ran.nodes[5].start, ran.nodes[ran.nodes[5].cause].end) << "computing begins on the dot";
}

/// Every call of every iteration is made once, those of a stream in order.
TEST_F(Streams, MakeEveryCall) {
  std::mutex mutex;
  std::vector<std::pair<std::size_t, std::size_t>> made;
  const jobs::Program program{.name = "p",
                              .nodes = {calling(0), calling(1), calling(0), calling(1, {2})}};
  static_cast<void>(
      run(program, {.start = clock_.now(), .iterations = 4}, [&](std::size_t node, std::size_t i) {
        const std::scoped_lock lock(mutex);
        made.emplace_back(i, node);
      }));
  ASSERT_EQ(made.size(), 16U);
  EXPECT_EQ(std::set(made.begin(), made.end()).size(), 16U);
  for (std::size_t at = 0; at < made.size(); ++at) {
    EXPECT_EQ(made[at].first, at / 4) << "an iteration ends before the next begins";
  }
}

/// Of two calls on two streams each waits for the other to be under way: one thread would hang.
TEST_F(Streams, RunAtOnce) {
  std::atomic<int> here = 0;
  const jobs::Program program{.name = "p", .nodes = {calling(0), calling(1)}};
  static_cast<void>(run(program, {.start = clock_.now()}, [&](std::size_t, std::size_t) {
    ++here;
    here.notify_all();
    for (int seen = here; seen < 2; seen = here) here.wait(seen);
  }));
  EXPECT_EQ(here, 2);
}

/// A lag counts from the end of what a node comes after, or from the iteration's beginning; dilation
/// makes all of it longer: 2 * (1 + 3) ms, and 2 * 5 ms.
TEST_F(Streams, WaitForLags) {
  jobs::Node late = compute(0, 1, {0});
  late.lag = Seconds(3e-3);
  jobs::Node later = compute(0, 2);
  later.lag = Seconds(5e-3);
  const TimePoint start = clock_.now();
  const record::RankProgram ran =
      run({.name = "p", .nodes = {compute(1e-3), late, later}}, {.start = start}, {}, 2);
  EXPECT_EQ(ran.nodes[1].start, ran.nodes[0].end + 6ms);
  EXPECT_GE(ran.nodes[0].end, start.time_since_epoch() + 2ms);
  EXPECT_EQ(ran.nodes[2].start, start.time_since_epoch() + 10ms);
}

/// The failure of a call is thrown, not those that follow from it: computing for a day that is given up.
TEST_F(Streams, ThrowWhatFailedFirst) {
  const jobs::Program program{.name = "p", .nodes = {calling(0), compute(86'400, 1), calling(2)}};
  try {
    static_cast<void>(run(program, {.start = clock_.now()}, [&](std::size_t node, std::size_t) {
      if (node == 0) throw FabricError(FabricFailure::peer_closed, {.peer = Rank(7)}, "gone");
      while (!cancellation_.requested()) std::this_thread::yield();
      throw FabricError(FabricFailure::cancelled, {}, "given up");
    }));
    FAIL() << "a call failed";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::peer_closed);
    EXPECT_EQ(error.place().peer, Rank(7));
  }
  EXPECT_TRUE(cancellation_.requested());
}

TEST_F(Streams, GiveUpWhenTheyAreTold) {
  cancellation_.request();
  EXPECT_THROW(
      static_cast<void>(run({.name = "p", .nodes = {compute(86'400)}}, {.start = clock_.now()})),
      transport::Cancelled);
}

TEST_F(Streams, AreNoneInAProgramWithoutNodes) {
  EXPECT_EQ(run({.name = "p"}, {.start = clock_.now()}), record::RankProgram{});
}

}  // namespace
}  // namespace gradwire::workers
