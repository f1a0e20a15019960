#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "core/pattern.h"
#include "ringallreduce/plan.h"
#include "tests/transport/rank_group.h"
#include "tests/transport/sockets.h"
#include "topologies/registry.h"
#include "transport/handshake.h"
#include "transport/tcp/socket.h"

/// Connections that are not of the run: dropped, and the run goes on with right sums.
namespace gradwire::transport {
namespace {

using testing::RankContext;

constexpr std::size_t kMembers = 3;
constexpr std::size_t kSummed = 999;

/// A rendezvous whose rank 1 sees the listeners first and sends strangers to rank 2's.
class Intruding final : public Rendezvous {
 public:
  Intruding(Rendezvous& honest, std::function<void(const tcp::Listening&)> visit)
      : honest_(honest), visit_(std::move(visit)) {}
  std::vector<std::string> all_gather(const std::string& mine) override {
    auto all = honest_.all_gather(mine);
    const std::vector<tcp::Listening> doors = testing::listeners_in(all[2]);
    if (!doors.empty()) visit_(doors.front());
    return all;
  }
  void barrier() override { honest_.barrier(); }

 private:
  Rendezvous& honest_;
  std::function<void(const tcp::Listening&)> visit_;
};

/// What each stranger says; every connection stays open until the run is over.
std::vector<std::string> strangers() {
  const auto hello = [](const RunKey& key, const Greeting& content) {
    return encode(content, key);
  };
  return {"",
          "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
          std::string(10'000, '\xff'),
          "GRADWIRE",
          hello({9}, {.from = Rank(0), .to = Rank(2)}),   // wrong key
          hello({7}, {.from = Rank(99), .to = Rank(2)}),  // nobody's rank
          hello({7}, {.from = Rank(0), .to = Rank(1)}),   // another's channel
          hello({7}, {.lane = 5, .from = Rank(0), .to = Rank(2)})};
}

/// TCP, whose rank 1 brings strangers.
struct IntrudedTcp : testing::Tcp {
  using testing::Tcp::Tcp;
  std::function<void(const tcp::Listening&)> visit;

  auto connect(const Bootstrap& rank) {
    if (rank.self != Rank(1)) return Tcp::connect(rank);
    Intruding intruding(rank.rendezvous, visit);
    return Tcp::connect({.plan = rank.plan,
                         .self = rank.self,
                         .gradient = rank.gradient,
                         .rendezvous = intruding,
                         .cancellation = rank.cancellation,
                         .clock = rank.clock});
  }
};

TEST(Stranger, DoesNotDisturbARun) {
  const auto topology = topologies::make_topology("single-switch(3)");
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kMembers; ++i) {
    plans.push_back(ringallreduce::plan(*topology, Rank(i), kSummed));
  }
  std::vector<FileDescriptor> open;
  IntrudedTcp transport(kMembers);
  transport.visit = [&open](const tcp::Listening& target) {
    for (const std::string& words : strangers()) {
      FileDescriptor fd = testing::connect_to(target);
      ASSERT_GE(::send(fd.get(), words.data(), words.size(), MSG_NOSIGNAL), 0);
      open.push_back(std::move(fd));
    }
  };

  const std::vector<Rank> all{Rank(0), Rank(1), Rank(2)};
  const Pattern pattern(all, 0);
  const auto endings = testing::run_ranks(transport, plans, kSummed, [&](RankContext& rank) {
    pattern.fill(rank.gradient, rank.self);
    rank.rendezvous.barrier();
    rank.executor.execute();
    EXPECT_EQ(pattern.count_wrong(rank.elements), 0u);
    rank.rendezvous.barrier();
  });
  testing::expect_ended_well(endings);
  EXPECT_EQ(open.size(), strangers().size());
}

}  // namespace
}  // namespace gradwire::transport
