#include <csignal>
#include <exception>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/peers/gloo/connect.h"
#include "core/error.h"
#include "core/pattern.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::peers::gloo {
namespace {

using namespace std::chrono_literals;
using transport::loopback::LocalRendezvous;
using transport::loopback::MeetingPoint;

/// Runs `work` for each rank in a thread of its own; how each ended.
std::vector<std::exception_ptr> run_ranks(std::size_t ranks,
                                          const std::function<void(Rank, LocalRendezvous&)>& work) {
  MeetingPoint meeting(ranks);
  std::vector<std::exception_ptr> endings(ranks);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ranks; ++i) {
    threads.emplace_back([&, i] {
      try {
        LocalRendezvous rendezvous(meeting, Rank(i));
        work(Rank(i), rendezvous);
      } catch (...) {
        endings[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return endings;
}

std::string what_of(const std::exception_ptr& ending) {
  try {
    if (ending) std::rethrow_exception(ending);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// Connects over the loopback interface.
std::unique_ptr<Collective> connected(std::span<float> gradient, std::span<const Extent> extents,
                                      transport::Rendezvous& rendezvous,
                                      const ConnectOptions& options) {
  return connect(gradient, extents, {.device = "lo", .address = "127.0.0.1"}, rendezvous, options);
}

std::vector<Rank> first_ranks(std::size_t count) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < count; ++i) ranks.emplace_back(i);
  return ranks;
}

struct Case {
  const char* name;
  std::size_t ranks;
};

class GlooSums : public ::testing::TestWithParam<Case> {};

// All sizes as extents of one gradient: the buckets of a training job.
TEST_P(GlooSums, AreExact) {
  const std::vector<Extent> extents{{0, 1}, {1, 7}, {8, 1000}, {1008, 100'003}};
  const auto [name, ranks] = GetParam();
  const auto endings = run_ranks(ranks, [&](Rank self, LocalRendezvous& rendezvous) {
    std::vector<float> gradient(extents.back().end());
    const auto all_reduce = connected(
        gradient, extents, rendezvous,
        {.algorithm = algorithm_of(name).value(), .self = self, .ranks = ranks, .timeout = 5s});
    for (std::size_t iteration = 0; iteration < 3; ++iteration) {
      const Pattern pattern(first_ranks(ranks), iteration);
      pattern.fill(gradient, self);
      for (std::size_t i = 0; i < extents.size(); ++i) all_reduce->run(i);
      EXPECT_EQ(pattern.count_wrong(gradient), 0u) << "rank " << self.index();
      rendezvous.barrier();
    }
  });
  for (const std::exception_ptr& ending : endings) EXPECT_EQ(what_of(ending), "");
}

INSTANTIATE_TEST_SUITE_P(, GlooSums,
                         ::testing::Values(Case{"ring", 2}, Case{"ring", 4}, Case{"ring", 9},
                                           Case{"halving-doubling", 2}, Case{"halving-doubling", 4},
                                           Case{"halving-doubling", 9}, Case{"bcube", 2},
                                           Case{"bcube", 4}, Case{"bcube", 6}, Case{"bcube", 9}),
                         [](const auto& parameter) {
                           std::string name = std::string(parameter.param.name) +
                                              std::to_string(parameter.param.ranks);
                           std::erase(name, '-');
                           return name;
                         });

TEST(GlooFailure, APeerThatIsGoneIsAFabricError) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<Extent> extents{{0, 100'003}};
  const auto endings = run_ranks(3, [&](Rank self, LocalRendezvous& rendezvous) {
    std::vector<float> gradient(extents.back().end());
    const auto all_reduce =
        connected(gradient, extents, rendezvous,
                  {.algorithm = Algorithm::ring, .self = self, .ranks = 3, .timeout = 20s});
    if (self == Rank(1)) return;  // closes its connections
    all_reduce->run(0);
  });
  EXPECT_EQ(what_of(endings[1]), "");
  for (const std::size_t left : {0, 2}) {
    try {
      ASSERT_TRUE(endings[left]) << left;
      std::rethrow_exception(endings[left]);
    } catch (const FabricError& error) {
      EXPECT_EQ(error.failure(), FabricFailure::peer_closed) << error.what();
      EXPECT_EQ(error.place().rank, Rank(left));
    }
  }
}

TEST(GlooFailure, ASilentPeerIsAFabricErrorOnceTheTimeoutPasses) {
  const std::vector<Extent> extents{{0, 1000}};
  std::latch noticed(1);
  const auto endings = run_ranks(2, [&](Rank self, LocalRendezvous& rendezvous) {
    std::vector<float> gradient(extents.back().end());
    const auto all_reduce =
        connected(gradient, extents, rendezvous,
                  {.algorithm = Algorithm::ring, .self = self, .ranks = 2, .timeout = 2s});
    if (self == Rank(1)) return noticed.wait();
    try {
      all_reduce->run(0);
    } catch (...) {
      noticed.count_down();
      throw;
    }
    noticed.count_down();
  });
  try {
    ASSERT_TRUE(endings[0]);
    std::rethrow_exception(endings[0]);
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::stalled) << error.what();
  }
}

}  // namespace
}  // namespace gradwire::peers::gloo
