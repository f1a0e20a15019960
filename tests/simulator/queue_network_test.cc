#include "simulator/queue_network.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/network.h"

namespace gradwire::simulator {
namespace {

using ::testing::DoubleNear;
using What = QueueNetwork::Event::What;

/// Pieces of 10 bytes, nothing that waits unsent, and windows that hold nobody back.
constexpr SocketModel kPieces{.segment = 10, .window = 1'000'000, .unsent = 0};

std::vector<LinkUse> queued_over(std::vector<std::uint32_t> links) {
  std::vector<LinkUse> uses;
  for (const std::uint32_t link : links) uses.push_back({.link = link});
  return uses;
}

/// When what happened to which flow.
using Times = std::map<std::pair<FlowId, What>, double>;

/// What happens until `until`, which is a time at which something does, or until nothing does.
Times run_queues(QueueNetwork& network, double until = kNever) {
  Times times;
  while (network.next_event() < kNever && network.next_event() <= until) {
    for (const QueueNetwork::Event& event : network.advance(network.next_event())) {
      EXPECT_TRUE(times.emplace(std::pair(event.flow, event.what), network.now()).second)
          << "flow " << event.flow << " is reported twice";
    }
  }
  return times;
}

// A bucket of 10 bytes passes the first piece at once, and two more pieces take 0.1 s each at
// 100 B/s: (30 - 10)/100 s. The second link has the tokens for each when it comes.
TEST(QueueNetwork, PiecesPassAsTokensCome) {
  for (const std::vector<std::uint32_t>& way : {std::vector<std::uint32_t>{0}, {0, 1}}) {
    QueueNetwork network(std::vector<double>{100, 100}, kPieces, 10);
    const FlowId flow = network.send(network.connect(queued_over(way)), 30);
    EXPECT_THAT(run_queues(network).at({flow, What::arrived}), DoubleNear(0.2, 1e-12));
  }
}

// After 10 s a bucket of 25 bytes is full again, and no fuller: (30 - 25)/100 s each time.
TEST(QueueNetwork, BucketsRefill) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 25);
  const std::uint32_t connection = network.connect(queued_over({0}));
  const FlowId first = network.send(connection, 30);
  EXPECT_THAT(run_queues(network).at({first, What::arrived}), DoubleNear(0.05, 1e-12));
  network.advance(10);
  const FlowId second = network.send(connection, 30);
  EXPECT_THAT(run_queues(network).at({second, What::arrived}), DoubleNear(10.05, 1e-12));
}

// Each socket has two pieces in the queue, and puts in the next when one has passed. So the order is
// a a b b a a b b a a b b, the first at 0 and one every 0.1 s: a ends with the tenth piece, b with
// the twelfth. Sharing max-min fair, both end at 1.1 s.
TEST(QueueNetwork, SocketsTakeTurnsOfTwoPieces) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId a = network.send(network.connect(queued_over({0})), 60);
  const FlowId b = network.send(network.connect(queued_over({0})), 60);
  const Times times = run_queues(network);
  EXPECT_THAT(times.at({a, What::arrived}), DoubleNear(0.9, 1e-12));
  EXPECT_THAT(times.at({b, What::arrived}), DoubleNear(1.1, 1e-12));
}

/// When the only piece of a sender arrives that comes to a port of 100 B/s 0.05 s after another
/// sender has begun to send four pieces to it, ten times as fast, with this window.
double behind_four_pieces(std::uint64_t window) {
  SocketModel sockets = kPieces;
  sockets.window = window;
  QueueNetwork network(std::vector<double>{1000, 1000, 100}, sockets, 10);
  network.send(network.connect(queued_over({0, 2})), 40);
  run_queues(network, 0.05);  // up to 0.03
  network.advance(0.05);
  const FlowId late = network.send(network.connect(queued_over({1, 2})), 10);
  return run_queues(network).at({late, What::arrived});
}

// Three of the four pieces are still in the queue, and pass at 0.1, 0.2 and 0.3 s: 0.4 s. Sharing
// max-min fair it would take from 0.05 to 0.25 s.
TEST(QueueNetwork, WhatHasRunAheadPassesFirst) {
  EXPECT_THAT(behind_four_pieces(kPieces.window), DoubleNear(0.4, 1e-12));
}

// With two pieces under way only the second and the third are in the queue: 0.3 s.
TEST(QueueNetwork, AWindowHoldsAConnectionBack) {
  EXPECT_THAT(behind_four_pieces(20), DoubleNear(0.3, 1e-12));
}

/// When 40 bytes arrive over a link of 100 B/s, two pieces at a time, beside what sends 20 over the
/// one of 10 B/s that is their way back, if anything does.
double against_what_comes_back(bool queued, bool beside) {
  SocketModel sockets = kPieces;
  sockets.window = 20;
  sockets.queued_acknowledgements = queued;
  QueueNetwork network(std::vector<double>{100, 10}, sockets, 10);
  if (beside) network.send(network.connect(queued_over({1}), queued_over({0})), 20);
  const FlowId flow = network.send(network.connect(queued_over({0}), queued_over({1})), 40);
  return run_queues(network).at({flow, What::arrived});
}

// The first two pieces have arrived at 0 and at 0.1 s. Their acknowledgements stand behind a piece that
// passes at 1 s. Then the bucket is full: the third piece passes at 1 s, the last at 1.1 s.
TEST(QueueNetwork, AcknowledgementsStandInQueues) {
  EXPECT_THAT(against_what_comes_back(true, true), DoubleNear(1.1, 1e-12));
  EXPECT_THAT(against_what_comes_back(false, true), DoubleNear(0.3, 1e-12));
}

// Where nothing stands in their way they take no time, as they take no tokens.
TEST(QueueNetwork, AcknowledgementsTakeNoTokens) {
  EXPECT_THAT(against_what_comes_back(true, false), DoubleNear(0.3, 1e-12));
}

// 1000 pieces beyond the first, of 10 bytes at up to 100 B/s: between 100 s and 100/(1 - 0.1) s, no
// two links the same, and twice the same time.
TEST(QueueNetwork, UnevenLinksCarryUpToAShareLess) {
  SocketModel uneven = kPieces;
  uneven.unevenness = 0.1;
  const auto time_over = [&](std::uint32_t link) {
    QueueNetwork network(std::vector<double>(8, 100), uneven, 10);
    const FlowId flow = network.send(network.connect(queued_over({link})), 10'010);
    return run_queues(network).at({flow, What::arrived});
  };
  std::set<double> times;
  for (std::uint32_t link = 0; link < 8; ++link) {
    const double time = time_over(link);
    EXPECT_TRUE(times.insert(time).second);
    EXPECT_EQ(time_over(link), time);
  }
  EXPECT_GE(*times.begin(), 100);
  EXPECT_LE(*times.rbegin(), 100 / (1 - 0.1) + 1e-9);
  EXPECT_GT(*times.rbegin() - *times.begin(), 5) << "links are hardly apart";
}

// Of 40 bytes two pieces are in the queue, the third when the first has passed at 0, the last at
// 0.1 s; with 10 bytes that may wait unsent the message has left at 0. It arrives at 0.3 s.
TEST(QueueNetwork, AMessageHasLeftWhenTheSocketHasTakenIt) {
  for (const auto& [unsent, left] : {std::pair{0U, 0.1}, {10U, 0.0}}) {
    SocketModel sockets = kPieces;
    sockets.unsent = unsent;
    QueueNetwork network(std::vector<double>{100}, sockets, 10);
    const FlowId flow = network.send(network.connect(queued_over({0})), 40);
    const Times times = run_queues(network);
    EXPECT_THAT(times.at({flow, What::left}), DoubleNear(left, 1e-12));
    EXPECT_THAT(times.at({flow, What::arrived}), DoubleNear(0.3, 1e-12));
  }
}

// The last 2 of 22 bytes wait while more than twice as many stand in the queue. Until 0.1 s 8 more
// are sent, which go with them as one piece at 0.2 s, and end both messages.
TEST(QueueNetwork, WhatIsSentWhileASmallPieceWaitsGoesWithIt) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const std::uint32_t connection = network.connect(queued_over({0}));
  const FlowId first = network.send(connection, 22);
  run_queues(network, 0.05);
  network.advance(0.05);
  const FlowId second = network.send(connection, 8);
  const Times times = run_queues(network);
  EXPECT_THAT(times.at({first, What::arrived}), DoubleNear(0.2, 1e-12));
  EXPECT_THAT(times.at({second, What::arrived}), DoubleNear(0.2, 1e-12));
}

// 15 bytes have arrived with the second piece at 0.1 s; then 20 have, and 18 are reported at once.
TEST(QueueNetwork, AMilestoneIsReportedOnce) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId flow = network.send(network.connect(queued_over({0})), 40);
  network.set_milestone(flow, 15);
  EXPECT_THAT(run_queues(network, 0.15).at({flow, What::milestone}), DoubleNear(0.1, 1e-12));
  network.set_milestone(flow, 18);
  EXPECT_EQ(network.next_event(), network.now());
  const Times rest = run_queues(network);
  EXPECT_THAT(rest.at({flow, What::milestone}), DoubleNear(0.1, 1e-12));
  EXPECT_THAT(rest.at({flow, What::arrived}), DoubleNear(0.3, 1e-12));
}

// It takes no time, and no place in the queue.
TEST(QueueNetwork, AMessageOfNoBytesArrivesAtOnce) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId flow = network.send(network.connect(queued_over({0})), 0);
  const Times times = run_queues(network);
  EXPECT_EQ(times.at({flow, What::left}), 0);
  EXPECT_EQ(times.at({flow, What::arrived}), 0);
}

TEST(QueueNetwork, NumbersOfFlowsAreUsedAgain) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const std::uint32_t connection = network.connect(queued_over({0}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(network.send(connection, 10), 0U);
    run_queues(network);
    network.advance(network.now());
  }
}

}  // namespace
}  // namespace gradwire::simulator
