#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "tests/transport/rank_group.h"
#include "tests/transport/sockets.h"
#include "transport/handshake.h"
#include "transport/tcp/frame.h"

/// A bit that changes on its way from rank 0 to rank 1.
namespace gradwire::transport {
namespace {

using ::testing::HasSubstr;
using testing::RankContext;

/// Three frames, the last of which is short.
constexpr std::size_t kCorrupted = 150'001;
/// What rank 0 says before its first frame.
constexpr std::size_t kHandshake = kGreetingBytes + sizeof(Mac);

/// Stands between rank 0 and rank 1, forwards everything, and flips one bit.
class Meddler {
 public:
  /// Of the byte at `offset` of what the caller sends.
  explicit Meddler(std::size_t offset) : offset_(offset), listener_(tcp::listen_on(kLo)) {}
  ~Meddler() {
    stop_ = true;
    if (forwarding_.joinable()) forwarding_.join();
  }

  /// Where to call instead of `target`.
  [[nodiscard]] tcp::Listening stand_before(const tcp::Listening& target) {
    forwarding_ = std::thread([this, target] { forward(target); });
    return tcp::address_of(listener_.get());
  }

 private:
  void forward(const tcp::Listening& target) {
    const SteadyClock clock;
    const Deadline deadline(clock, std::chrono::seconds(20));
    if (!testing::wait_for(listener_.get(), POLLIN, deadline)) return;
    const FileDescriptor caller(::accept(listener_.get(), nullptr, nullptr));
    const FileDescriptor acceptor = testing::connect_to(target);
    while (!stop_ && !deadline.passed()) {
      if (!pass(caller.get(), acceptor.get(), true)) return;
      if (!pass(acceptor.get(), caller.get(), false)) return;
    }
  }

  /// Passes on what there is; false when the end has come.
  bool pass(int from, int to, bool meddles) {
    std::array<char, 65536> bytes{};
    pollfd polled{.fd = from, .events = POLLIN, .revents = 0};
    if (::poll(&polled, 1, 1) <= 0) return true;
    const ssize_t got = ::recv(from, bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    const auto count = static_cast<std::size_t>(got);
    if (meddles && passed_ <= offset_ && offset_ < passed_ + count) {
      char& byte = bytes[offset_ - passed_];
      byte = static_cast<char>(byte ^ 4);
    }
    if (meddles) passed_ += count;
    for (std::size_t sent = 0; sent < count;) {
      const ssize_t part = ::send(to, bytes.data() + sent, count - sent, MSG_NOSIGNAL);
      if (part > 0) sent += static_cast<std::size_t>(part);
      if (part < 0 && errno != EAGAIN) return false;
    }
    return true;
  }

  static inline const PortBinding kLo{.device = "lo", .address = "127.0.0.1"};
  std::size_t offset_;
  FileDescriptor listener_;
  std::size_t passed_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread forwarding_;
};

/// The rendezvous of rank 0, whose listeners of rank 1 are the meddler's.
class Meddled final : public Rendezvous {
 public:
  Meddled(Rendezvous& honest, Meddler& meddler) : honest_(honest), meddler_(meddler) {}
  std::vector<std::string> all_gather(const std::string& mine) override {
    auto all = honest_.all_gather(mine);
    std::vector<tcp::Listening> doors = testing::listeners_in(all[1]);
    if (!doors.empty()) {
      doors[0] = meddler_.stand_before(doors[0]);
      all[1] = contribution_of(doors);
    }
    return all;
  }
  void barrier() override { honest_.barrier(); }

 private:
  Rendezvous& honest_;
  Meddler& meddler_;
};

struct MeddledTcp {
  Meddler& meddler;
  bool check_frames = true;

  std::vector<std::unique_ptr<Endpoint>> connect(Bootstrap rank) {
    const std::vector<PortBinding> ports(1, {.device = "lo", .address = "127.0.0.1"});
    rank.ports = ports;
    const tcp::ConnectOptions options{.key = {7}, .check_frames = check_frames};
    if (rank.self != Rank(0)) return tcp::connect(rank, options);
    Meddled rendezvous(rank.rendezvous, meddler);
    return tcp::connect({.plan = rank.plan,
                         .self = rank.self,
                         .gradient = rank.gradient,
                         .ports = ports,
                         .rendezvous = rendezvous,
                         .cancellation = rank.cancellation,
                         .clock = rank.clock},
                        options);
  }
};

/// How rank 1 ends when rank 0 sends it ones and a bit changes `offset` bytes into the first frame.
std::exception_ptr ending_of(std::size_t offset, Combine how, bool check_frames,
                             std::size_t& wrong) {
  std::vector<Plan> plans(2);
  const Peer one{.rank = Rank(1), .via = Port(0), .at = Port(0)};
  const Peer zero{.rank = Rank(0), .via = Port(0), .at = Port(0)};
  const Extent all{.first = 0, .count = kCorrupted};
  plans[0].lanes = {{Step{.sends = {{one, all}}}}};
  plans[1].lanes = {{Step{.recvs = {{zero, all, how}}}}};
  Meddler meddler(kHandshake + offset);
  MeddledTcp transport{.meddler = meddler, .check_frames = check_frames};
  const auto endings = testing::run_ranks(transport, plans, kCorrupted, [&](RankContext& rank) {
    std::ranges::fill(rank.gradient, rank.self == Rank(0) ? 1.0F : 0.0F);
    rank.executor.execute();
    if (rank.self == Rank(1)) {
      wrong = static_cast<std::size_t>(
          std::ranges::count_if(rank.gradient, [](float sum) { return sum != 1.0F; }));
    }
  });
  return endings[1];
}

std::optional<FabricError> as_fabric_error(const std::exception_ptr& ending) {
  try {
    if (ending) std::rethrow_exception(ending);
  } catch (const FabricError& error) {
    return error;
  }
  return std::nullopt;
}

// In the payload, in the middle frame, in a check: the message names rank, peer, port and frame.
TEST(Corruption, EndsTheRunAndIsNamed) {
  constexpr std::size_t kFrame = tcp::kFrameBytes + tcp::kCheckBytes;
  for (const auto& [offset, frame] :
       {std::pair(std::size_t{5}, "frame 0"), std::pair(kFrame + 77, "frame 1"),
        std::pair(2 * kFrame - 1, "frame 1"), std::pair(4 * kCorrupted + 11, "frame 2")}) {
    for (const Combine how : {Combine::add, Combine::replace}) {
      std::size_t wrong = 0;
      const auto error = as_fabric_error(ending_of(offset, how, true, wrong));
      ASSERT_TRUE(error) << offset;
      EXPECT_EQ(error->failure(), FabricFailure::corrupted);
      EXPECT_EQ(error->place(), (FabricPlace{Rank(1), Rank(0), Port(0), 0, 0}));
      EXPECT_THAT(error->detail(),
                  HasSubstr(std::string(frame) + " that came over lo has CRC32C "));
    }
  }
}

// What integrity: off means.
TEST(Corruption, IsNotNoticedWithoutChecks) {
  std::size_t wrong = 0;
  EXPECT_EQ(testing::reason(ending_of(5, Combine::add, false, wrong)), "");
  EXPECT_EQ(wrong, 1u);
}

}  // namespace
}  // namespace gradwire::transport
