#include <latch>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/pattern.h"
#include "ringallreduce/plan.h"
#include "tests/transport/rank_group.h"
#include "topologies/registry.h"

/// A rank that dies or falls silent ends the run of every other, which names whom it missed.
namespace gradwire::transport {
namespace {

using testing::Loopback;
using testing::RankContext;

constexpr std::size_t kRanks = 4;
constexpr std::size_t kElements = 400'000;

std::vector<Plan> ring() {
  const auto topology = topologies::make_topology("single-switch(4)");
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kRanks; ++i) {
    plans.push_back(ringallreduce::plan(*topology, Rank(i), kElements));
  }
  return plans;
}

std::optional<FabricError> fabric_error(const std::exception_ptr& ending) {
  try {
    if (ending) std::rethrow_exception(ending);
  } catch (const FabricError& error) {
    return error;
  }
  return std::nullopt;
}

template <class Transport>
class Failure : public testing::TransportTest<Transport> {};
TYPED_TEST_SUITE(Failure, testing::AllTransports, testing::TransportName);

// Rank 2 leaves (its connections close) after all are connected; its neighbours in the ring are 1
// and 3, and 3 waits for it in step 0. Rank 1 begins when 3 has ended: it would leave because of
// rank 2, and rank 0 because of it, which 3 might notice first.
TYPED_TEST(Failure, ADeadPeerIsNamed) {
  TypeParam transport(kRanks);
  std::latch third_over(1);
  const auto endings = testing::run_ranks(transport, ring(), kElements, [&](RankContext& rank) {
    if (rank.self == Rank(2)) return;
    if (rank.self == Rank(1)) third_over.wait();
    if (rank.self != Rank(3)) return rank.executor.execute();
    try {
      rank.executor.execute();
    } catch (...) {
      third_over.count_down();
      throw;
    }
    third_over.count_down();
  });
  EXPECT_EQ(testing::reason(endings[2]), "");
  const auto error = fabric_error(endings[3]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->failure(), FabricFailure::peer_closed);
  EXPECT_EQ(error->place(),
            (FabricPlace{.rank = Rank(3), .peer = Rank(2), .port = Port(0), .lane = 0, .step = 0}));
  EXPECT_TRUE(fabric_error(endings[0]));
  EXPECT_TRUE(fabric_error(endings[1]));
}

// Rank 2 stays connected but never starts; rank 3 gets nothing from it.
TYPED_TEST(Failure, ASilentPeerIsNamed) {
  TypeParam transport(kRanks);
  std::latch over(kRanks);  // nobody hangs up before all have noticed
  const auto silent = [&](RankContext& rank) {
    if (rank.self == Rank(2)) return over.arrive_and_wait();
    try {
      rank.executor.execute();
    } catch (...) {
      over.arrive_and_wait();
      throw;
    }
    over.arrive_and_wait();
  };
  const auto endings =
      testing::run_ranks(transport, ring(), kElements, silent, {.stall_timeout = testing::kStall});
  const auto error = fabric_error(endings[3]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->failure(), FabricFailure::stalled);
  EXPECT_EQ(error->place().peer, Rank(2));
  EXPECT_EQ(error->place().step, std::size_t{0});
}

TYPED_TEST(Failure, CancellationEndsARun) {
  TypeParam transport(kRanks);
  std::latch cancelled(kRanks - 1);  // nobody hangs up before all are cancelled
  const auto endings = testing::run_ranks(transport, ring(), kElements, [&](RankContext& rank) {
    if (rank.self == Rank(2)) return cancelled.wait();
    std::thread canceller([&rank] { rank.cancellation.request(); });
    try {
      rank.executor.execute();
    } catch (...) {
      canceller.join();
      cancelled.arrive_and_wait();
      throw;
    }
    canceller.join();
  });
  const auto error = fabric_error(endings[3]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->failure(), FabricFailure::cancelled);
}

/// The ring over memory with a fault between rank 1 and rank 2. What stalls is noticed after 3 s,
/// in which whoever has something to do gets to it on a busy machine, too.
std::vector<std::exception_ptr> run_with(const loopback::Fault& fault, std::size_t& wrong) {
  Loopback transport(kRanks);
  transport.fabric.inject(Rank(1), Rank(2), fault);
  const std::vector<Rank> all{Rank(0), Rank(1), Rank(2), Rank(3)};
  const Pattern pattern(all, 0);
  std::vector<std::size_t> wrong_of(kRanks, 0);
  std::latch ended(kRanks);  // a rank that gives up must not be what its neighbours run into
  const auto work = [&](RankContext& rank) {
    pattern.fill(rank.gradient, rank.self);
    rank.rendezvous.barrier();
    try {
      rank.executor.execute();
    } catch (...) {
      ended.arrive_and_wait();
      throw;
    }
    ended.arrive_and_wait();
    wrong_of[rank.self.index()] = pattern.count_wrong(rank.elements);
    rank.rendezvous.barrier();
  };
  auto endings = testing::run_ranks(transport, ring(), kElements, work,
                                    {.stall_timeout = std::chrono::seconds(3)});
  wrong = wrong_of[0] + wrong_of[1] + wrong_of[2] + wrong_of[3];
  return endings;
}

TEST(Injector, DelayChangesNothingButTime) {
  std::size_t wrong = 1;
  const auto endings = run_with(
      {.kind = loopback::Fault::Kind::delay, .delay = std::chrono::milliseconds(20)}, wrong);
  testing::expect_ended_well(endings);
  EXPECT_EQ(wrong, 0u);
}

// 100,000 elements a step: the stall at 150,000 is in step 1.
TEST(Injector, AStalledLinkIsNamedWithItsStep) {
  std::size_t wrong = 0;
  const auto endings =
      run_with({.kind = loopback::Fault::Kind::stall, .after_elements = 150'000}, wrong);
  const auto error = fabric_error(endings[2]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->failure(), FabricFailure::stalled);
  EXPECT_EQ(error->place().peer, Rank(1));
  EXPECT_EQ(error->place().step, std::size_t{1});
}

TEST(Injector, ACutLinkIsNamedWithItsStep) {
  std::size_t wrong = 0;
  const auto endings =
      run_with({.kind = loopback::Fault::Kind::cut, .after_elements = 250'000}, wrong);
  const auto error = fabric_error(endings[2]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->failure(), FabricFailure::peer_closed);
  EXPECT_EQ(error->place().peer, Rank(1));
  EXPECT_EQ(error->place().step, std::size_t{2});
}

}  // namespace
}  // namespace gradwire::transport
