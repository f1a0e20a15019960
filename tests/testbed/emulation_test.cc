#include "testbed/emulation.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/clock.h"
#include "tests/testbed/in_sandbox.h"
#include "tests/transport/sockets.h"
#include "topologies/registry.h"
#include "transport/tcp/socket.h"

/// Real connections across emulated wirings, and the ports that carry them.
namespace gradwire::testbed {
namespace {

using topologies::Topology;

/// A wiring that stands, inside the sandbox.
struct Standing {
  explicit Standing(const std::string& name, BitRate rate = {1e9})
      : topology(topologies::make_topology(name)),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, shape_for(rate, 9000)) {}

  [[nodiscard]] transport::PortBinding binding(Rank rank, Port port) const {
    return {.device = Emulation::interface_of(port),
            .address = to_string(addresses.nodes[rank.index()].ports[port.index()].address)};
  }

  struct Connection {
    FileDescriptor listener;
    FileDescriptor sender;
  };
  /// Connects a port to a port, where nobody has taken the connection yet.
  [[nodiscard]] Connection connect(Rank from, Port via, Rank to, Port at) const {
    Connection made;
    {
      const InNamespace inside(emulation.namespace_of(to));
      made.listener = transport::tcp::listen_on(binding(to, at));
    }
    const InNamespace inside(emulation.namespace_of(from));
    made.sender = transport::testing::connect_from(binding(from, via),
                                                   transport::tcp::address_of(made.listener.get()));
    return made;
  }

  /// Sends `bytes` from a port to a port. True when they have arrived.
  bool carry(Rank from, Port via, Rank to, Port at, std::size_t bytes) {
    const SteadyClock clock;
    const Deadline deadline(clock, std::chrono::seconds(5));
    const auto [listener, sender] = connect(from, via, to, at);
    if (!transport::testing::wait_for(listener.get(), POLLIN, deadline)) return false;
    const FileDescriptor receiver(::accept(listener.get(), nullptr, nullptr));
    std::vector<char> buffer(64 * 1024);
    std::size_t sent = 0;
    std::size_t received = 0;
    while (received < bytes) {
      if (sent < bytes) {
        const auto n =
            ::send(sender.get(), buffer.data(), std::min(buffer.size(), bytes - sent), 0);
        if (n > 0) sent += static_cast<std::size_t>(n);
      }
      if (!transport::testing::wait_for(receiver.get(), POLLIN, deadline)) return false;
      const auto n = ::recv(receiver.get(), buffer.data(), buffer.size(), 0);
      if (n <= 0) return false;
      received += static_cast<std::size_t>(n);
    }
    return true;
  }

  std::unique_ptr<const Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
};

constexpr std::size_t kBytes = 1'000'000;

bool moved(std::uint64_t bytes) {
  return bytes >= kBytes && bytes < kBytes + kBytes / 10;
}
bool quiet(std::uint64_t bytes) {
  return bytes < kBytes / 10;
}

// One hop: 1 MB from port l of a host to its neighbour at level l moves exactly these two ports.
int check_one_hop() {
  Standing bcube("bcube(3,2)");
  for (const auto& [to, level] : {std::pair(Rank(1), Port(0)), std::pair(Rank(3), Port(1))}) {
    const auto before_from = bcube.emulation.counters(Rank(0));
    const auto before_to = bcube.emulation.counters(to);
    if (!bcube.carry(Rank(0), level, to, level, kBytes)) return 1;
    const auto from = bcube.emulation.counters(Rank(0));
    const auto arrived = bcube.emulation.counters(to);
    const std::size_t other = 1 - level.index();
    if (!moved(from[level.index()].sent_bytes - before_from[level.index()].sent_bytes)) return 2;
    if (!quiet(from[other].sent_bytes - before_from[other].sent_bytes)) return 3;
    if (!moved(arrived[level.index()].received_bytes - before_to[level.index()].received_bytes)) {
      return 4;
    }
    if (!quiet(arrived[other].received_bytes - before_to[other].received_bytes)) return 5;
  }
  return bcube.emulation.dropped_packets() == 0 ? 0 : 6;
}

TEST(Emulation, OneHopUsesItsTwoPortsOnly) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_one_hop), 0);
}

// Two hops: from 0,0 to 1,1 the route corrects digit 1 first, so host 1,0 (rank 3) relays: in at
// its port 1, out at its port 0.
int check_relay() {
  Standing bcube("bcube(3,2)");
  const auto before = bcube.emulation.counters(Rank(3));
  if (!bcube.carry(Rank(0), Port(1), Rank(4), Port(0), kBytes)) return 1;
  const auto relay = bcube.emulation.counters(Rank(3));
  if (!moved(relay[1].received_bytes - before[1].received_bytes)) return 2;
  return moved(relay[0].sent_bytes - before[0].sent_bytes) ? 0 : 3;
}

TEST(Emulation, BCubeHostsRelay) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_relay), 0);
}

int check_fat_tree() {
  Standing tree("fat-tree(4)");
  for (std::size_t to : {1u, 2u, 7u, 15u}) {  // same edge, same pod, other pods
    if (!tree.carry(Rank(0), Port(0), Rank(to), Port(0), kBytes)) return static_cast<int>(to);
  }
  return 0;
}

TEST(Emulation, FatTreeRoutesBetweenAllKindsOfPairs) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_fat_tree), 0);
}

int check_cut() {
  Standing bcube("bcube(2,2)");
  bcube.emulation.set_link(Rank(0), Port(1), false);
  try {
    if (bcube.carry(Rank(0), Port(1), Rank(2), Port(1), 1)) return 1;
  } catch (const SystemError&) {
    // no route, or no answer: either is a cut
  }
  return bcube.carry(Rank(0), Port(0), Rank(1), Port(0), kBytes) ? 0 : 2;
}

TEST(Emulation, APulledCableCarriesNothingAndTheOtherGoesOn) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_cut), 0);
}

TEST(Emulation, SeveralStandBesideEachOther) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              Standing first("bcube(2,2)");
              Standing second("bcube(2,2)");
              const bool both = first.carry(Rank(0), Port(0), Rank(1), Port(0), kBytes) &&
                                second.carry(Rank(0), Port(0), Rank(1), Port(0), kBytes);
              return both ? 0 : 1;
            }),
            0);
}

constexpr int kNoSetting = 98;  ///< of in_sandbox(): not what errors give

// What a switch's firewall is asked about, a bit for each: IPv4's packets, 4, IPv6's, 2, and ARP's, 1.
int check_firewalls_asked(BitRate rate) {
  Standing standing("single-switch(2)", rate);
  const InNamespace inside(standing.emulation.switch_spaces().front().namespace_fd);
  int asked = 0;
  for (const std::string tables : {"ip", "ip6", "arp"}) {
    std::ifstream setting("/proc/sys/net/bridge/bridge-nf-call-" + tables + "tables");
    int is_asked = 0;
    if (!(setting >> is_asked)) return kNoSetting;
    asked = 2 * asked + is_asked;
  }
  return asked;
}

// A packet that waits in a switch counts no more for its sender's TCP once a firewall was asked about it. Where nothing
// waits, none is asked.
TEST(Emulation, SwitchesWithQueuesTakePacketsOffTheirSenders) {
  SKIP_WITHOUT_SANDBOX();
  const auto asked = [](BitRate rate) {
    return testing::in_sandbox([rate] { return check_firewalls_asked(rate); });
  };
  const int with_queues = asked({1e9});
  if (with_queues == kNoSetting) GTEST_SKIP() << "bridges have no firewalls here (br_netfilter)";
  EXPECT_EQ(with_queues, 4);
  EXPECT_EQ(asked(kUnlimited), 0);
}

// What this setting of TCP is on an emulated host.
int tcp_setting(const std::string& name) {
  Standing standing("single-switch(2)");
  const InNamespace inside(standing.emulation.namespace_of(Rank(0)));
  std::ifstream setting("/proc/sys/net/ipv4/tcp_" + name);
  int value = 0;
  return setting >> value ? value : kNoSetting;
}

// Where ports serve who has more waiting, a connection with smaller pieces gets less. By how far a piece's size depends
// on the shortest round trip of the last five minutes: 2^tcp_tso_rtt_log us halve what is added to it. 2^30 us are 18
// minutes: no round trip over emulated links is as long.
TEST(Emulation, ConnectionsSendPiecesOfOneSizeForAsLongAsTheyStand) {
  SKIP_WITHOUT_SANDBOX();
  const int log = testing::in_sandbox([] { return tcp_setting("tso_rtt_log"); });
  if (log == kNoSetting)
    GTEST_SKIP() << "this kernel's pieces do not depend on round trips (before Linux 5.18)";
  EXPECT_EQ(log, 30);
}

// A packet counts as lost by time (1), not by how many overtook it (4), and by a part of the round trips of now, not of
// the shortest in minutes (a window of 0).
TEST(Emulation, PacketsThatWereOvertakenAreWaitedFor) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] { return tcp_setting("recovery"); }), 5);
  EXPECT_EQ(testing::in_sandbox([] { return tcp_setting("min_rtt_wlen"); }), 0);
}

// Two hosts may have 2 * 2 * 512 KiB = 2 MiB on their way, which take 3.36 s at 5 Mbit/s. The kernel may count in ticks
// of 10 ms.
int check_timeout() {
  if (!std::ifstream("/proc/sys/net/ipv4/tcp_rto_min_us")) return kNoSetting;
  const Standing standing("single-switch(2)", {5e6});
  const auto connection = standing.connect(Rank(0), Port(0), Rank(1), Port(0));
  tcp_info info{};
  socklen_t size = sizeof info;
  checked(::getsockopt(connection.sender.get(), IPPROTO_TCP, TCP_INFO, &info, &size), "TCP_INFO");
  return info.tcpi_rto >= 3'340'000 ? 0 : 1;
}

// Else what waits in slow ports is sent again, and its rows are said to have lost packets.
TEST(Emulation, ConnectionsWaitForAsLongAsSlowPortsTake) {
  SKIP_WITHOUT_SANDBOX();
  const int ended = testing::in_sandbox(check_timeout);
  if (ended == kNoSetting)
    GTEST_SKIP() << "this kernel has no shortest timeout of TCP (before Linux 6.11)";
  EXPECT_EQ(ended, 0);
}

}  // namespace
}  // namespace gradwire::testbed
