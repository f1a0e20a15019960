#include "transport/verbs/connect.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "tests/transport/rank_group.h"

/// What is particular to RDMA devices: finding them, agreeing, and peers that die without a word.
namespace gradwire::transport::verbs {
namespace {

using ::testing::HasSubstr;
using transport::testing::RankContext;

constexpr std::size_t kElements = 1000;

/// Rank 0 receives all from rank 1.
Plan receive_plan(std::size_t rank) {
  const Extent all{0, kElements};
  const Peer peer{.rank = Rank(1 - rank), .via = Port(0), .at = Port(0)};
  Plan plan;
  if (rank == 0) plan.lanes = {{Step{.recvs = {{peer, all, Combine::add}}}}};
  if (rank == 1) plan.lanes = {{Step{.sends = {{peer, all}}}}};
  return plan;
}

/// What connect() says to these ports; it fails before it meets anybody.
std::string refusal(const PortBinding& port, const ConnectOptions& options = {}) {
  const SteadyClock clock;
  std::vector<float> gradient(kElements);
  Cancellation cancellation;
  loopback::MeetingPoint nobody(2, std::chrono::milliseconds(1));
  loopback::LocalRendezvous rendezvous(nobody, Rank(0));
  try {
    const auto endpoints = connect({.plan = receive_plan(0),
                                    .self = Rank(0),
                                    .gradient = std::span(gradient),
                                    .ports = std::array{port},
                                    .rendezvous = rendezvous,
                                    .cancellation = cancellation,
                                    .clock = clock},
                                   options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Connect, ADeviceThatIsNotThereIsNamed) {
  EXPECT_THAT(refusal({.device = "lo", .address = "127.0.0.1", .rdma = "nothing0"}),
              HasSubstr("there is no RDMA device 'nothing0'; there are: "));
  EXPECT_EQ(refusal({.device = "lo", .address = "127.0.0.1"}), "the port on lo has no RDMA device");
}

TEST(Connect, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal({}, {.segment_bytes = 6}),
            "a segment of 6 bytes is not some whole elements of 4 bytes");
  EXPECT_EQ(refusal({}, {.staging_slots = 3}), "3 staging slots are less than 4");
}

class ConnectOverDevice : public transport::testing::TransportTest<transport::testing::Verbs> {
 protected:
  void SetUp() override {
    TransportTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) transport::testing::enter_rdma_namespace(0);
  }
};

TEST_F(ConnectOverDevice, AnAddressThatTheDeviceDoesNotHaveIsNamed) {
  PortBinding port = transport::testing::rdma_ports().front();
  port.address = "10.99.99.99";
  const std::string message = refusal(port);
  EXPECT_THAT(message, HasSubstr("has no RoCE v2 GID for 10.99.99.99 on " + port.device));
  EXPECT_THAT(message, HasSubstr("it has: port 1 index 0: "));
  port = transport::testing::rdma_ports().front();
  port.device = "lo";
  EXPECT_THAT(refusal(port), HasSubstr("has no RoCE v2 GID for " + port.address + " on lo"));
}

TEST_F(ConnectOverDevice, ASegmentMustFitAMessage) {
  EXPECT_THAT(
      refusal(transport::testing::rdma_ports().front(), {.segment_bytes = std::size_t{4} << 30}),
      HasSubstr("a segment of 4294967296 bytes is more than RDMA device "));
}

/// Ranks whose segments differ.
struct Disagreeing : transport::testing::Verbs {
  using Verbs::Verbs;
  auto connect(const Bootstrap& rank) {
    transport::testing::enter_rdma_namespace(rank.self.index());
    const auto ports = transport::testing::rdma_ports_of(rdma_ports(), rank.self.index(), 1);
    return verbs::connect(transport::testing::with_ports(rank, ports),
                          {.segment_bytes = 4096 * (1 + rank.self.index())});
  }
  static std::vector<PortBinding> rdma_ports() { return transport::testing::rdma_ports(); }
};

TEST_F(ConnectOverDevice, RanksMustAgreeOnSegments) {
  Disagreeing transport(2);
  const std::vector<Plan> plans{receive_plan(0), receive_plan(1)};
  const auto endings =
      transport::testing::run_ranks(transport, plans, kElements, [](RankContext&) {});
  ASSERT_TRUE(endings[0]);
  try {
    std::rethrow_exception(endings[0]);
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::refused);
    EXPECT_EQ(error.place().peer, Rank(1));
    EXPECT_EQ(error.detail(), "the peer has 8 slots of 2048 elements, we have 8 of 1024");
  }
}

/// A rendezvous of two processes.
class PairRendezvous final : public Rendezvous {
 public:
  PairRendezvous(std::size_t self, int socket) : self_(self), socket_(socket) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    checked(::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "timeout");
  }
  std::vector<std::string> all_gather(const std::string& mine) override {
    ensure(::send(socket_, mine.data(), mine.size(), 0) == static_cast<ssize_t>(mine.size()),
           "the message is sent whole");
    std::string theirs(1 << 16, '\0');
    theirs.resize(static_cast<std::size_t>(
        checked(static_cast<int>(::recv(socket_, theirs.data(), theirs.size(), 0)), "receive")));
    return self_ == 0 ? std::vector{mine, theirs} : std::vector{theirs, mine};
  }
  void barrier() override { static_cast<void>(all_gather("here")); }

 private:
  std::size_t self_;
  int socket_;
};

std::vector<std::unique_ptr<Endpoint>> connect_one(std::size_t rank, int socket,
                                                   std::span<float> gradient,
                                                   const Cancellation& cancellation,
                                                   const Clock& clock) {
  transport::testing::enter_rdma_namespace(rank);
  PairRendezvous rendezvous(rank, socket);
  const auto ports = transport::testing::rdma_ports_of(transport::testing::rdma_ports(), rank, 1);
  return connect({.plan = receive_plan(rank),
                  .self = Rank(rank),
                  .gradient = gradient,
                  .ports = ports,
                  .rendezvous = rendezvous,
                  .cancellation = cancellation,
                  .clock = clock},
                 {.path = {.ack_timeout = 14}, .probe_interval = std::chrono::milliseconds(100)});
}

/// Rank 1: connects and does nothing until it is killed.
[[noreturn]] void be_killed(int socket) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const SteadyClock clock;
  std::vector<float> gradient(kElements);
  Cancellation cancellation;
  const auto endpoints = connect_one(1, socket, gradient, cancellation, clock);
  while (true) ::pause();
}

// Rank 0 has nothing to send, and a reliable connection does not tell that its other end is gone.
TEST_F(ConnectOverDevice, AKilledPeerIsNamed) {
  std::array<int, 2> ends{};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  const FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) be_killed(theirs.get());

  const SteadyClock clock;
  std::vector<float> gradient(kElements);
  Cancellation cancellation;
  Executor executor(
      receive_plan(0), connect_one(0, ours.get(), gradient, cancellation, clock), cancellation,
      {.rank = Rank(0), .clock = clock, .timing = {.stall_timeout = std::chrono::seconds(40)}});
  checked(::kill(child, SIGKILL), "kill");
  checked(::waitpid(child, nullptr, 0), "waitpid");
  try {
    executor.execute();
    FAIL() << "nobody sent";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::peer_closed) << error.what();
    EXPECT_EQ(
        error.place(),
        (FabricPlace{.rank = Rank(0), .peer = Rank(1), .port = Port(0), .lane = 0, .step = 0}));
    EXPECT_THAT(error.detail(), HasSubstr("the peer does not acknowledge: "));
  }
}

}  // namespace
}  // namespace gradwire::transport::verbs
