#include "tests/simulator/packets.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "ps/plan.h"
#include "simulator/incast.h"
#include "tests/simulator/packet_instance.h"
#include "topologies/registry.h"

/// Our flows against ns-3's packets: how far apart they are where nothing is lost, and that the
/// flag for incasts tells where something is.
namespace {

using namespace gradwire;
using simulator::testing::fluid_time;
using simulator::testing::kInitialWindow;
using simulator::testing::kSegmentBytes;
using simulator::testing::last_of;
using simulator::testing::packet_network;
using simulator::testing::packet_run;
using simulator::testing::PacketNetwork;
using simulator::testing::PacketRun;
using simulator::testing::Pattern;
using simulator::testing::Transfer;
using simulator::testing::transfers;

constexpr double kRate = 1e9;
constexpr std::size_t kEndlessQueue = 1'000'000;

struct Times {
  double packets = 0;
  double flows = 0;
};

/// Of the last transfer, with queues that hold everything.
Times times_of(const std::string& wiring, Pattern pattern, std::size_t bytes) {
  const auto topology = topologies::make_topology(wiring);
  PacketNetwork network = packet_network(*topology, kRate);
  network.queue = kEndlessQueue;
  const auto all = transfers(*topology, pattern, bytes);
  return {last_of(packet_run(network, all)), fluid_time(network, all)};
}

// Bytes over rate, and what TCP's first round trips and the last packet's way take.
TEST(Packets, OneTransferTakesItsBytesOverTheRate) {
  const Times times = times_of("single-switch(2)", Pattern::one, 10'000'000);
  EXPECT_NEAR(times.flows, 10e6 * 8 / kRate * 1502 / 1448, 1e-9);
  EXPECT_GT(times.packets, times.flows);
  EXPECT_LT(times.packets, times.flows + 50e-6);
}

// Two flows that hash onto one cable halve each other in both, and so do five.
TEST(Packets, HashedRoutesCostWhatFlowsSay) {
  const Times hashed = times_of("fat-tree(4, ecmp)", Pattern::pushes, 131'072);
  const Times spread = times_of("fat-tree(4)", Pattern::pushes, 131'072);
  EXPECT_GT(hashed.flows, 1.2 * spread.flows) << "or there is nothing to see";
  EXPECT_NEAR(hashed.packets / hashed.flows, 1, 0.05);
  EXPECT_NEAR(spread.packets / spread.flows, 1, 0.15);
}

/// Whether packets of the first windows are lost when so many hosts push a window each into a port
/// with this queue, and what of them must fit into it, in packets.
struct Onrush {
  bool is_lost = false;
  double packets = 0;
};
Onrush onrush(std::size_t senders, std::size_t queue) {
  const auto topology =
      topologies::make_topology("single-switch(" + std::to_string(senders + 1) + ")");
  PacketNetwork network = packet_network(*topology, kRate);
  network.queue = queue;
  constexpr std::size_t kWindow = kInitialWindow * kSegmentBytes;
  const PacketRun run = packet_run(network, transfers(*topology, Pattern::incast, kWindow));
  const Plan server = ps::plan(*topology, Rank(0), kWindow, {.servers = 1});
  return {run.dropped > 0, simulator::largest_onrush(server, kWindow, 1) / kSegmentBytes};
}

// (senders - 1) windows must wait while the first leaves.
TEST(Packets, AreLostWhereTheFlagSays) {
  for (const std::size_t senders : {2U, 4U, 6U, 9U, 12U, 16U, 24U, 40U}) {
    const std::size_t fits = (senders - 1) * kInitialWindow;
    const Onrush roomy = onrush(senders, fits + 1);
    EXPECT_EQ(roomy.packets, static_cast<double>(fits)) << senders;
    EXPECT_FALSE(roomy.is_lost) << senders;
    EXPECT_TRUE(onrush(senders, fits - 2).is_lost) << senders;
  }
}

// Whoever loses a whole window waits until Linux's shortest timeout is over.
TEST(Packets, AnIncastThatLosesTakesHundredsOfTimesAsLong) {
  const auto topology = topologies::make_topology("single-switch(16)");
  PacketNetwork network = packet_network(*topology, 10 * kRate);
  const auto all = transfers(*topology, Pattern::incast, 65'536);
  const double flows = fluid_time(network, all);
  network.queue = 100;
  EXPECT_GT(last_of(packet_run(network, all)), 100 * flows);
  network.queue = 400;
  EXPECT_LT(last_of(packet_run(network, all)), 1.05 * flows);
}

}  // namespace
