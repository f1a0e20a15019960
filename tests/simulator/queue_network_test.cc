#include "simulator/queue_network.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/bruck.h"
#include "collectives/member.h"
#include "simulator/network.h"
#include "tests/simulator/plans.h"
#include "topologies/least_time.h"

namespace gradwire::simulator {
namespace {

using testing::algorithms;
using ::testing::DoubleNear;
using testing::fits;
using testing::plans_of;
using testing::time_of;
using What = QueueNetwork::Event::What;

/// Pieces of 10 bytes, nothing that waits unsent, and windows that hold nobody back.
constexpr SocketModel kPieces{.segment = 10, .window = 1'000'000, .unsent = 0};

std::vector<LinkUse> over(std::vector<std::uint32_t> links) {
  std::vector<LinkUse> uses;
  for (const std::uint32_t link : links) uses.push_back({.link = link});
  return uses;
}

/// When what happened to which flow.
using Times = std::map<std::pair<FlowId, What>, double>;

/// What happens until `until`, which is a time at which something does, or until nothing does.
Times run(QueueNetwork& network, double until = kNever) {
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
    const FlowId flow = network.send(network.connect(over(way)), 30);
    EXPECT_THAT(run(network).at({flow, What::arrived}), DoubleNear(0.2, 1e-12));
  }
}

// After 10 s a bucket of 25 bytes is full again, and no fuller: (30 - 25)/100 s each time.
TEST(QueueNetwork, BucketsRefill) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 25);
  const std::uint32_t connection = network.connect(over({0}));
  const FlowId first = network.send(connection, 30);
  EXPECT_THAT(run(network).at({first, What::arrived}), DoubleNear(0.05, 1e-12));
  network.advance(10);
  const FlowId second = network.send(connection, 30);
  EXPECT_THAT(run(network).at({second, What::arrived}), DoubleNear(10.05, 1e-12));
}

// Each socket has two pieces in the queue, and puts in the next when one has passed. So the order is
// a a b b a a b b a a b b, the first at 0 and one every 0.1 s: a ends with the tenth piece, b with
// the twelfth. Sharing max-min fair, both end at 1.1 s.
TEST(QueueNetwork, SocketsTakeTurnsOfTwoPieces) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId a = network.send(network.connect(over({0})), 60);
  const FlowId b = network.send(network.connect(over({0})), 60);
  const Times times = run(network);
  EXPECT_THAT(times.at({a, What::arrived}), DoubleNear(0.9, 1e-12));
  EXPECT_THAT(times.at({b, What::arrived}), DoubleNear(1.1, 1e-12));
}

/// When the only piece of a sender arrives that comes to a port of 100 B/s 0.05 s after another
/// sender has begun to send four pieces to it, ten times as fast, with this window.
double behind_four_pieces(std::uint64_t window) {
  SocketModel sockets = kPieces;
  sockets.window = window;
  QueueNetwork network(std::vector<double>{1000, 1000, 100}, sockets, 10);
  network.send(network.connect(over({0, 2})), 40);
  run(network, 0.05);  // up to 0.03
  network.advance(0.05);
  const FlowId late = network.send(network.connect(over({1, 2})), 10);
  return run(network).at({late, What::arrived});
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

// 1000 pieces beyond the first, of 10 bytes at up to 100 B/s: between 100 s and 100/(1 - 0.1) s, no
// two links the same, and twice the same time.
TEST(QueueNetwork, UnevenLinksCarryUpToAShareLess) {
  SocketModel uneven = kPieces;
  uneven.unevenness = 0.1;
  const auto time_over = [&](std::uint32_t link) {
    QueueNetwork network(std::vector<double>(8, 100), uneven, 10);
    const FlowId flow = network.send(network.connect(over({link})), 10'010);
    return run(network).at({flow, What::arrived});
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
    const FlowId flow = network.send(network.connect(over({0})), 40);
    const Times times = run(network);
    EXPECT_THAT(times.at({flow, What::left}), DoubleNear(left, 1e-12));
    EXPECT_THAT(times.at({flow, What::arrived}), DoubleNear(0.3, 1e-12));
  }
}

// The last 2 of 22 bytes wait while more than twice as many stand in the queue. Until 0.1 s 8 more
// are sent, which go with them as one piece at 0.2 s, and end both messages.
TEST(QueueNetwork, WhatIsSentWhileASmallPieceWaitsGoesWithIt) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const std::uint32_t connection = network.connect(over({0}));
  const FlowId first = network.send(connection, 22);
  run(network, 0.05);
  network.advance(0.05);
  const FlowId second = network.send(connection, 8);
  const Times times = run(network);
  EXPECT_THAT(times.at({first, What::arrived}), DoubleNear(0.2, 1e-12));
  EXPECT_THAT(times.at({second, What::arrived}), DoubleNear(0.2, 1e-12));
}

// 15 bytes have arrived with the second piece at 0.1 s; then 20 have, and 18 are reported at once.
TEST(QueueNetwork, AMilestoneIsReportedOnce) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId flow = network.send(network.connect(over({0})), 40);
  network.set_milestone(flow, 15);
  EXPECT_THAT(run(network, 0.15).at({flow, What::milestone}), DoubleNear(0.1, 1e-12));
  network.set_milestone(flow, 18);
  EXPECT_EQ(network.next_event(), network.now());
  const Times rest = run(network);
  EXPECT_THAT(rest.at({flow, What::milestone}), DoubleNear(0.1, 1e-12));
  EXPECT_THAT(rest.at({flow, What::arrived}), DoubleNear(0.3, 1e-12));
}

// It takes no time, and no place in the queue.
TEST(QueueNetwork, AMessageOfNoBytesArrivesAtOnce) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const FlowId flow = network.send(network.connect(over({0})), 0);
  const Times times = run(network);
  EXPECT_EQ(times.at({flow, What::left}), 0);
  EXPECT_EQ(times.at({flow, What::arrived}), 0);
}

TEST(QueueNetwork, NumbersOfFlowsAreUsedAgain) {
  QueueNetwork network(std::vector<double>{100}, kPieces, 10);
  const std::uint32_t connection = network.connect(over({0}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(network.send(connection, 10), 0U);
    run(network);
    network.advance(network.now());
  }
}

/// Elements of 4 bytes in pieces of one, over links of an element per second.
constexpr NetworkModel kElements{
    .rate = sizeof(float),
    .sockets = SocketModel{.segment = sizeof(float), .window = 1 << 20, .unsent = 0}};

// A piece stands for one element, and the bucket of every link holds one: a ring on a switch of N
// hosts takes 2(N - 1) steps of M/N elements without a pause, the first element of which is there at
// once.
TEST(SimulatedQueues, ARingTakesItsClosedForm) {
  constexpr std::size_t kEach = 50;
  for (const std::size_t hosts : {2U, 4U, 7U}) {
    const std::string wiring = "single-switch(" + std::to_string(hosts) + ")";
    const double steps = 2.0 * static_cast<double>(hosts - 1);
    EXPECT_NEAR(time_of("ring", wiring, kEach * hosts, kElements), steps * kEach - 1, 1e-6)
        << wiring;
  }
}

/// Rank 0 of two on a switch sends 50 elements to rank 1, which adds them.
std::vector<Plan> one_message() {
  Plan sender{.lanes = {{Step{.sends = {testing::send(1, {0, 50})}}}}};
  Plan receiver{.lanes = {{Step{.recvs = {testing::receive(0, {0, 50}, Combine::add)}}}}};
  return {sender, receiver};
}

// 50 elements take 49 s; two cables of 3 s, 7 s before it starts, and 4 s for each element that is added.
TEST(SimulatedQueues, CablesStartUpsAndAdditionsTakeTheirTime) {
  const auto topology = topologies::make_topology("single-switch(2)");
  NetworkModel model = kElements;
  model.delay = 3;
  model.alpha = 7;
  EXPECT_NEAR(time_of(*topology, one_message(), model), 49 + 2 * 3 + 7, 1e-9);
  model.gamma = 1;  // per byte
  EXPECT_NEAR(time_of(*topology, one_message(), model), 49 + 2 * 3 + 7 + 4 * 50, 1e-9);
}

// The socket takes both messages at once, and sends them one after the other: 49 s, then 50 s. Two connections would take
// turns, and the first message would end last but for two pieces.
TEST(SimulatedQueues, WhatComesNextGoesOverTheSameConnection) {
  const auto topology = topologies::make_topology("single-switch(2)");
  NetworkModel model = kElements;
  model.sockets->unsent = 1 << 20;
  const Outcome outcome =
      simulate(WholeFabric(*topology),
               std::vector<Stage>{{.plans = one_message()}, {.plans = one_message()}}, model, {});
  EXPECT_NEAR(outcome.end_of(0), 49, 1e-9);
  EXPECT_NEAR(outcome.end_of(1), 99, 1e-9);
}

/// How long Bruck's all-reduce of 13.1 MB takes on BCube(3,2), in T_F of one link, where links are as
/// uneven as this.
double brucks_all_reduce(double unevenness) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const std::vector<std::size_t> sizes(9, 364'089);
  const Group group = collectives::everyone(*topology);
  std::vector<Plan> plans;
  for (std::size_t place = 0; place < group.size(); ++place) {
    const collectives::Member self{.topology = *topology, .group = group, .place = place};
    Plan plan = collectives::bruck::reduce_scatter(self, sizes);
    const Plan shares = collectives::bruck::all_gather(self, sizes);
    for (const Step& step : shares.lanes.at(0)) plan.lanes.at(0).push_back(step);
    plans.push_back(std::move(plan));
  }
  const SocketModel sockets{
      .segment = 62'636, .window = 1 << 18, .unsent = 1 << 17, .unevenness = unevenness};
  const NetworkModel model{
      .rate = 9 * 364'089 * sizeof(float), .burst = 73'000, .sockets = sockets};
  return time_of(*topology, std::move(plans), model);
}

// In step no two messages share a link, and each half takes (N-1)/N T_F (collectives/bruck.h). Links that are 0.3 % apart
// are enough for hosts to be out of step, as emulated ones are (docs/collectives.md, all-reduce(bruck) in the run goals).
TEST(SimulatedQueues, UnevenLinksPutHostsOutOfStep) {
  const double in_step = 2 * collectives::bruck::closed_form(9);
  EXPECT_NEAR(brucks_all_reduce(0), in_step, 0.01 * in_step);
  EXPECT_GT(brucks_all_reduce(0.003), 1.3 * in_step);
}

// No port passes more than its rate and its bucket, so queues are no faster than the busiest port
// allows. Ports are never idle while something waits, so they are not much slower than flows. Every
// algorithm ends, twice at the same time, to the bit.
TEST(SimulatedQueues, EveryAlgorithmEndsNoEarlierThanItsBusiestPort) {
  for (const auto& [name, make] : algorithms()) {
    for (const char* wiring : {"single-switch(5)", "bcube(3,2)", "fat-tree(4)"}) {
      const auto topology = topologies::make_topology(wiring);
      if (!fits(name, *topology)) continue;
      const std::size_t elements = 20 * topology->hosts() * topology->ports_per_host();
      const double time = time_of(name, wiring, elements, kElements);
      const double least =
          topologies::least_time(*topology, plans_of(name, *topology, elements), 1);
      EXPECT_GE(time, least - 1e-6) << name << " on " << wiring;
      EXPECT_LE(time, 1.5 * time_of(name, wiring, elements)) << name << " on " << wiring;
      EXPECT_EQ(time, time_of(name, wiring, elements, kElements)) << name << " on " << wiring;
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
