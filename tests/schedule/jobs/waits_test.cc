#include "schedule/jobs/waits.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "schedule/jobs/check.h"
#include "tests/schedule/jobs/jobs.h"
#include "tests/schedule/jobs/random_job.h"

namespace gradwire::jobs {
namespace {

using testing::RandomJob;

/// What must be over before what, with the calls of a collective as one event: the job can end if, and
/// only if, no event comes before itself.
class Events {
 public:
  explicit Events(const Job& job) : job_(job) {
    std::size_t events = 0;
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> meetings;
    for (const Part& part : job.ranks) {
      std::map<std::uint32_t, std::size_t> called;
      auto& numbers = numbers_.emplace_back();
      for (const Node& node : job.programs[part.program].nodes) {
        const Call* call = std::get_if<Call>(&node.what);
        if (call == nullptr) {
          numbers.push_back(events++);
          continue;
        }
        const std::uint32_t group = part.groups[call->slot];
        const auto [known, is_new] = meetings.try_emplace({group, called[group]++}, events);
        if (is_new) ++events;
        numbers.push_back(known->second);
      }
    }
    before_.assign(events, std::vector<bool>(events));
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) add_order(rank);
    for (std::size_t k = 0; k < events; ++k) {
      for (std::size_t i = 0; i < events; ++i) {
        for (std::size_t j = 0; j < events; ++j) {
          if (before_[i][k] && before_[k][j]) before_[i][j] = true;
        }
      }
    }
  }

  [[nodiscard]] bool some_comes_before_itself() const {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i][i]) return true;
    }
    return false;
  }
  /// Whether the event of a rank's node comes before that of another rank's.
  [[nodiscard]] bool before(std::size_t rank, std::size_t node, std::size_t other,
                            std::size_t theirs) const {
    return before_[numbers_[rank][node]][numbers_[other][theirs]];
  }

 private:
  void add_order(std::size_t rank) {
    const std::vector<Node>& nodes = job_.programs[job_.ranks[rank].program].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool waits = nodes[i].stream == nodes[j].stream ||
                           std::ranges::find(nodes[i].after, j) != nodes[i].after.end();
        if (waits) before_[numbers_[rank][j]][numbers_[rank][i]] = true;
      }
    }
  }

  const Job& job_;
  std::vector<std::vector<std::size_t>> numbers_;  // by rank, node
  std::vector<std::vector<bool>> before_;
};

TEST(EndlessWaits, AreThereWhenAnEventComesBeforeItself) {
  std::size_t stuck = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const Job job = RandomJob(seed).make();
    const std::vector<ProgramGraph> graphs = graphs_of(job);
    const Events events(job);
    const std::vector<Wait> waits = endless_waits(job, graphs);
    ASSERT_EQ(!waits.empty(), events.some_comes_before_itself()) << "seed " << seed;
    stuck += waits.empty() ? 0 : 1;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      // Whom a rank waits for is held up in the next wait, which comes before the event waited for.
      const Wait& next = waits[(i + 1) % waits.size()];
      ASSERT_EQ(waits[i].for_rank, next.rank) << "seed " << seed;
      ASSERT_TRUE(events.before(next.rank, next.node, waits[i].rank, waits[i].node))
          << "seed " << seed;
    }
  }
  // Jobs of both kinds are many.
  EXPECT_GT(stuck, 150U);
  EXPECT_LT(stuck, 2850U);
}

TEST(EndlessWaits, NameAllRanksOfACircle) {
  // Rank i first meets rank i + 1, and then rank i - 1: all wait.
  constexpr std::size_t kRanks = 5;
  std::vector<std::vector<std::size_t>> pairs;
  std::vector<std::vector<std::uint32_t>> groups_of;
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    pairs.push_back({rank, (rank + 1) % kRanks});
    groups_of.push_back({static_cast<std::uint32_t>(rank),
                         static_cast<std::uint32_t>((rank + kRanks - 1) % kRanks)});
  }
  const std::vector<std::vector<Node>> programs(kRanks, {testing::sum(0), testing::sum(1)});
  const Job job = testing::job(programs, pairs, groups_of);
  const std::vector<Wait> waits = endless_waits(job, graphs_of(job));
  ASSERT_EQ(waits.size(), kRanks);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(waits[rank].rank, rank);
    EXPECT_EQ(waits[rank].node, 0U);
    EXPECT_EQ(waits[rank].for_rank, (rank + 1) % kRanks);
  }
}

TEST(EndlessWaits, ArePassedOverWhereOnlyOthersWait) {
  // Rank 0 waits for rank 1, which is not of the circle of ranks 1 and 2.
  const Job job = testing::job({{testing::sum(0)},
                                {testing::sum(1), testing::sum(2), testing::sum(0)},
                                {testing::sum(1), testing::sum(0)}},
                               {{0, 1}, {1, 2}, {1, 2}}, {{0}, {0, 1, 2}, {1, 2}});
  const std::vector<Wait> waits = endless_waits(job, graphs_of(job));
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits.front().rank, 1U);
  EXPECT_EQ(waits.back().rank, 2U);
}

}  // namespace
}  // namespace gradwire::jobs
