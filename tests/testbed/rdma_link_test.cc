#include "testbed/rdma_link.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#include "core/clock.h"
#include "testbed/emulation.h"
#include "testbed/net_namespace.h"
#include "testbed/process.h"
#include "tests/testbed/in_sandbox.h"
#include "tests/testbed/skip_without_rxe.h"
#include "topologies/registry.h"

/// Soft-RoCE devices on emulated wirings. They run where the kernel has them, which is in the lab's
/// virtual machine; there GRADWIRE_ROCE is set, and a kernel without them is a failure.
namespace gradwire::testbed {
namespace {

using topologies::Topology;

int as_root(const std::function<int()>& body) {
  return testing::in_sandbox(body, {.machine_root = true});
}

/// A wiring with RDMA that stands, inside the sandbox.
struct StandingDevices {
  explicit StandingDevices(const std::string& name)
      : topology(topologies::make_topology(name)),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, shape_for({20e6}, 4200, Framing::roce)) {}

  std::unique_ptr<const Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
};

bool exists(const std::string& device) {
  return std::filesystem::exists("/sys/class/infiniband/" + device);
}

int check_names() {
  std::optional<StandingDevices> first(std::in_place, "bcube(2,2)");
  if (first->emulation.rdma_device_of(Rank(3), Port(1)) != "r3p1" || !exists("r3p1")) return 1;
  {
    const StandingDevices second("single-switch(2)");
    if (second.emulation.rdma_device_of(Rank(1), Port(0)) != "r1p0-1" || !exists("r1p0-1"))
      return 2;
  }
  if (exists("r1p0-1") || !exists("r1p0")) return 3;
  first.reset();
  return exists("r1p0") ? 4 : 0;
}

TEST(RdmaLink, IsNamedByRankAndPortAndGoesWithItsEmulation) {
  SKIP_WITHOUT_RXE();
  EXPECT_EQ(as_root(check_names), 0);
}

/// Payload of the packets of the device on an interface of this MTU, as the device says; 0:
/// unknown.
std::size_t device_payload(std::size_t mtu) {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink netlink;
  netlink.create_veth({space.fd(), "a"}, {space.fd(), "b"}, mtu);
  netlink.set_up("a", true);
  const RdmaLink link("payload", "a");
  std::size_t payload = 0;
  ibv_device** const devices = ::ibv_get_device_list(nullptr);
  for (ibv_device** device = devices; device != nullptr && *device != nullptr; ++device) {
    if (link.device() != ::ibv_get_device_name(*device)) continue;
    ibv_context* const context = ::ibv_open_device(*device);
    ibv_port_attr port{};
    if (context == nullptr || ::ibv_query_port(context, 1, &port) != 0) break;
    payload = std::size_t{128} << port.active_mtu;
    ::ibv_close_device(context);
  }
  if (devices != nullptr) ::ibv_free_device_list(devices);
  return payload;
}

TEST(RdmaLink, HasThePayloadThatBoundsReckonWith) {
  SKIP_WITHOUT_RXE();
  EXPECT_EQ(as_root([] {
              for (const std::size_t mtu : {1500u, 2127u, 2128u, 4175u, 4176u, 9000u}) {
                if (device_payload(mtu) != roce_payload(mtu)) return 1;
              }
              return 0;
            }),
            0);
}

/// Leaves a device behind, as a harness does that is killed.
int leave_one() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink().create_veth({space.fd(), "a"}, {space.fd(), "b"}, 4200);
  const RdmaLink link("left", "a");
  ::_exit(exists("left") ? 0 : 1);
}

TEST(RdmaLink, VanishesWithItsSandbox) {
  SKIP_WITHOUT_RXE();
  ASSERT_EQ(as_root(leave_one), 0);
  for (int tries = 0; tries < 200 && exists("left"); ++tries) ::usleep(50'000);
  EXPECT_FALSE(exists("left"));
}

/// One end of ib_send_bw, without capabilities as every worker is. 1 MB goes from the one that is
/// given its peer's address. -u 20: patient with a shaped link, and with a busy machine.
ChildProcess send_bw(const StandingDevices& wiring, Rank rank, Port port, const std::string& peer) {
  std::vector<std::string> arguments{"/usr/bin/ib_send_bw", "-d",
                                     wiring.emulation.rdma_device_of(rank, port)};
  for (const char* option : {"-x", "1", "-s", "65536", "-n", "16", "-F", "-u", "20"}) {
    arguments.emplace_back(option);
  }
  if (!peer.empty()) arguments.push_back(peer);
  return ChildProcess::start({.arguments = arguments,
                              .namespace_fd = wiring.emulation.namespace_of(rank),
                              .control = STDERR_FILENO});
}

/// Whether ib_send_bw waits for its peer at its TCP port, 18515.
bool listens(const ChildProcess& receiver) {
  for (const char* table : {"tcp", "tcp6"}) {
    std::ifstream sockets(fmt::format("/proc/{}/net/{}", receiver.pid(), table));
    for (std::string line; std::getline(sockets, line);) {
      if (line.find(":4853 ") != std::string::npos) return true;
    }
  }
  return false;
}

// 1 MB from a host to its neighbour of level 1 moves their ports 1 and no other.
int check_traffic() {
  StandingDevices wiring("bcube(2,2)");
  const SteadyClock clock;
  const std::string server =
      to_string(wiring.addresses.nodes[Rank(2).index()].ports[Port(1).index()].address);
  ChildProcess listener = send_bw(wiring, Rank(2), Port(1), "");
  const Deadline deadline(clock, std::chrono::seconds(60));
  while (!listens(listener)) {
    if (deadline.passed()) return 1;
    ::usleep(20'000);
  }
  ChildProcess caller = send_bw(wiring, Rank(0), Port(1), server);
  for (ChildProcess* process : {&caller, &listener}) {
    const auto ending = process->wait(deadline);
    if (!ending || ending->signal || ending->exit_code != 0) return 2;
  }
  const auto counters = wiring.emulation.counters(Rank(0));
  const auto arrived = wiring.emulation.counters(Rank(2));
  for (const std::uint64_t moved : {counters[1].sent_bytes, arrived[1].received_bytes}) {
    if (moved < 1'000'000 || moved > 1'200'000) return 3;
  }
  if (counters[0].sent_bytes > 10'000) return 4;
  return wiring.emulation.dropped_packets() == 0 ? 0 : 5;
}

TEST(RdmaLink, CarriesWhatItsPortShould) {
  SKIP_WITHOUT_RXE();
  EXPECT_EQ(as_root(check_traffic), 0);
}

TEST(RdmaLink, IsRefusedInAUserNamespace) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              try {
                const RdmaLink link("refused", "lo");
              } catch (const SystemError& error) {
                return std::string(error.what()).find("lo") == std::string::npos ? 1 : 0;
              }
              return 2;
            }),
            0);
}

}  // namespace
}  // namespace gradwire::testbed
