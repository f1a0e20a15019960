#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/emulation.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/registry.h"
#include "transport/executor.h"
#include "transport/ucx/connect.h"

/// UCX between emulated hosts with two ports: its bytes take the port that the Plan names, whatever
/// the environment says.
namespace gradwire::transport {
namespace {

using testbed::Emulation;

constexpr std::size_t kElements = 1'000'000;
constexpr std::size_t kBytes = kElements * sizeof(float);

/// Two ranks that meet over a pair of sockets. For other rank numbers stands what this one says.
class PairRendezvous final : public Rendezvous {
 public:
  PairRendezvous(int socket, Rank self, Rank other) : socket_(socket), self_(self), other_(other) {}

  std::vector<std::string> all_gather(const std::string& mine) override {
    const std::uint64_t length = mine.size();
    move_all(::write, &length, sizeof length);
    move_all(::write, mine.data(), mine.size());
    std::uint64_t other_length = 0;
    move_all(::read, &other_length, sizeof other_length);
    std::string theirs(other_length, '\0');
    move_all(::read, theirs.data(), theirs.size());
    std::vector<std::string> all(std::max(self_.index(), other_.index()) + 1, mine);
    all[other_.index()] = theirs;
    return all;
  }
  void barrier() override { static_cast<void>(all_gather("")); }

 private:
  template <class Call, class Memory>
  void move_all(Call call, Memory* memory, std::size_t bytes) const {
    for (std::size_t moved = 0; moved < bytes;) {
      using Byte = std::conditional_t<std::is_const_v<Memory>, const char, char>;
      const auto n = call(socket_, reinterpret_cast<Byte*>(memory) + moved, bytes - moved);
      if (n <= 0) throw SystemError("meeting the other rank", errno);
      moved += static_cast<std::size_t>(n);
    }
  }

  int socket_;
  Rank self_;
  Rank other_;
};

/// A wiring that stands, and two hosts of it that are neighbours at one level.
struct TwoHosts {
  explicit TwoHosts(Port level)
      : topology(topologies::make_topology("bcube(2,2)")),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, testbed::shape_for({1e9}, 9000)),
        port(level),
        ranks{Rank(0), Rank(level.index() == 0 ? 1 : 2)} {}

  [[nodiscard]] std::vector<PortBinding> bindings(Rank rank) const {
    std::vector<PortBinding> all;
    for (std::size_t i = 0; i < 2; ++i) {
      all.push_back({.device = Emulation::interface_of(Port(i)),
                     .address = to_string(addresses.nodes[rank.index()].ports[i].address)});
    }
    return all;
  }

  std::unique_ptr<const topologies::Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
  Port port;
  std::array<Rank, 2> ranks;
};

/// The host's view: its interfaces, and /sys, where UCX looks for them.
void enter(int namespace_fd) {
  checked(::setns(namespace_fd, CLONE_NEWNET), "setns");
  checked(::unshare(CLONE_NEWNS), "unshare");
  checked(::mount("sysfs", "/sys", "sysfs", 0, nullptr), "mount /sys");
}

/// Each rank sends one half of its gradient and receives the other. True when that arrived.
bool exchange(const TwoHosts& hosts, std::size_t side, int socket) {
  const Rank self = hosts.ranks[side];
  const Peer peer{.rank = hosts.ranks[1 - side], .via = hosts.port, .at = hosts.port};
  const Extent mine{side * kElements / 2, kElements / 2};
  const Extent theirs{(1 - side) * kElements / 2, kElements / 2};
  Plan plan;
  plan.lanes = {{Step{.sends = {{peer, mine}}, .recvs = {{peer, theirs, Combine::replace}}}}};

  const SteadyClock clock;
  std::vector<float> gradient(kElements);
  std::iota(gradient.begin(), gradient.end(), static_cast<float>(side));
  Cancellation cancellation;
  PairRendezvous rendezvous(socket, self, peer.rank);
  const auto ports = hosts.bindings(self);
  auto endpoints = ucx::connect({.plan = plan,
                                 .self = self,
                                 .gradient = std::span(gradient),
                                 .ports = ports,
                                 .rendezvous = rendezvous,
                                 .cancellation = cancellation,
                                 .clock = clock},
                                {});
  Executor executor(
      plan, std::move(endpoints), cancellation,
      {.rank = self, .clock = clock, .timing = {.stall_timeout = std::chrono::seconds(5)}});
  executor.execute();
  rendezvous.barrier();
  return gradient[theirs.first] == static_cast<float>(theirs.first + (1 - side)) &&
         gradient[mine.first] == static_cast<float>(mine.first + side);
}

/// Runs both ranks, each as a process in its host. True when both ended well.
bool run_both(const TwoHosts& hosts) {
  std::array<int, 2> sockets{};
  checked(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()), "socketpair");
  std::array<FileDescriptor, 2> ends{FileDescriptor(sockets[0]), FileDescriptor(sockets[1])};
  std::array<pid_t, 2> children{};
  for (std::size_t side = 0; side < 2; ++side) {
    children[side] = checked(::fork(), "fork");
    if (children[side] != 0) continue;
    ends[1 - side].reset();  // so that the end of one rank is seen by the other
    ::alarm(20);
    bool right = false;
    try {
      enter(hosts.emulation.namespace_of(hosts.ranks[side]));
      right = exchange(hosts, side, ends[side].get());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "rank on side %zu: %s\n", side, error.what());
    }
    ::_exit(right ? 0 : 1);
  }
  bool both = true;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    both = both && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return both;
}

/// 0, or what went wrong.
int check_port(Port port) {
  // A user's settings that would send everything through the other port, or through both.
  ::setenv("UCX_NET_DEVICES", Emulation::interface_of(Port(1 - port.index())).c_str(), 1);
  ::setenv("UCX_TLS", "all", 1);
  ::setenv("UCX_MAX_EAGER_RAILS", "2", 1);
  ::setenv("UCX_MAX_RNDV_RAILS", "2", 1);
  TwoHosts hosts(port);
  std::array<std::vector<testbed::LinkCounters>, 2> before;
  for (std::size_t side = 0; side < 2; ++side) {
    before[side] = hosts.emulation.counters(hosts.ranks[side]);
  }
  if (!run_both(hosts)) return 1;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto after = hosts.emulation.counters(hosts.ranks[side]);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto sent = after[i].sent_bytes - before[side][i].sent_bytes;
      const auto received = after[i].received_bytes - before[side][i].received_bytes;
      std::fprintf(stderr, "rank %zu port %zu: %llu bytes sent, %llu received\n",
                   hosts.ranks[side].index(), i, static_cast<unsigned long long>(sent),
                   static_cast<unsigned long long>(received));
      const bool named = i == port.index();
      if (named && (sent < kBytes / 2 || received < kBytes / 2)) return 2;
      if (!named && (sent > kBytes / 100 || received > kBytes / 100)) return 3;
    }
  }
  return 0;
}

TEST(UcxPorts, OnlyTheNamedPortCarriesBytes) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testbed::testing::in_sandbox([] { return check_port(Port(0)); }), 0);
  EXPECT_EQ(testbed::testing::in_sandbox([] { return check_port(Port(1)); }), 0);
}

}  // namespace
}  // namespace gradwire::transport
