#include "simulator/placement_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/jobs/jobs.h"
#include "tests/simulator/job_plans.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using ::testing::ElementsAre;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::simple_plans;

/// A wiring with a few hosts, and jobs that have room there.
struct Case {
  std::unique_ptr<const topologies::Topology> topology;
  std::vector<jobs::Job> jobs;  ///< different ones
  std::vector<Tenant> tenants;  ///< the last job may stand here twice
};

class RandomCase {
 public:
  explicit RandomCase(std::uint32_t seed) : random_(seed) {}

  /// Fills a case, to whose jobs its tenants refer.
  void fill(Case& made) {
    constexpr std::array kWirings{"leaf-spine(2,3,1)", "leaf-spine(3,2,1)", "leaf-spine(2,2,1)",
                                  "bcube(2,2)", "single-switch(5)"};
    made.topology = topologies::make_topology(kWirings[below(kWirings.size())]);
    std::size_t free = made.topology->hosts();
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t ranks = 1 + below(std::min<std::size_t>(free - (i == 0 ? 1 : 0), 3));
      made.jobs.push_back(job(ranks));
      free -= ranks;
    }
    for (const jobs::Job& job : made.jobs) add(made, job);
    if (made.jobs.back().ranks.size() <= free && below(2) == 0) add(made, made.jobs.back());
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  jobs::Job job(std::size_t ranks) {
    std::vector<jobs::Node> nodes{compute(static_cast<double>(below(10)))};
    for (std::size_t i = 1 + below(2); i > 0; --i) {
      constexpr std::array kWhat{Collective::all_reduce, Collective::broadcast,
                                 Collective::all_to_all};
      nodes.push_back(call(kWhat[below(kWhat.size())], 0, 1 + below(12)));
    }
    return jobs::testing::job_of_all(std::move(nodes), ranks);
  }
  static void add(Case& made, const jobs::Job& job) {
    std::vector<Rank> seats;
    for (const Tenant& tenant : made.tenants) {
      for (std::size_t i = 0; i < tenant.seats.size(); ++i) seats.emplace_back(seats.size());
    }
    const std::size_t first = seats.size();
    seats.clear();
    for (std::size_t i = 0; i < job.ranks.size(); ++i) seats.emplace_back(first + i);
    made.tenants.push_back({.job = job, .seats = seats, .iterations = 2});
  }

  std::mt19937 random_;
};

double slowdown(const Case& made, const std::vector<std::vector<Rank>>& seats) {
  std::vector<Tenant> tenants = made.tenants;
  for (std::size_t i = 0; i < tenants.size(); ++i) tenants[i].seats = seats[i];
  const PlansOf plans_of = simple_plans(*made.topology);
  const auto together =
      simulate(*made.topology, tenants, plans_of, kElementPerSecond, {.goes_on = true});
  double most = 0;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    tenants[i].seats = testing::first_hosts(tenants[i].seats.size());
    const std::vector<Tenant> one{tenants[i]};
    const double alone =
        simulate(*made.topology, one, plans_of, kElementPerSecond).front().ends.back();
    if (alone > 0) most = std::max(most, together[i].ends.back() / alone);
  }
  return most;
}

/// Every way to write the jobs' numbers beside the hosts.
std::pair<double, double> brute_force(const Case& made) {
  std::vector<std::size_t> job_of;
  for (std::size_t i = 0; i < made.tenants.size(); ++i) {
    job_of.insert(job_of.end(), made.tenants[i].seats.size(), i);
  }
  job_of.resize(made.topology->hosts(), made.tenants.size());
  std::pair range(std::numeric_limits<double>::infinity(), 0.0);
  do {
    std::vector<std::vector<Rank>> seats(made.tenants.size() + 1);
    for (std::size_t host = 0; host < job_of.size(); ++host) {
      seats[job_of[host]].emplace_back(host);
    }
    const double found = slowdown(made, seats);
    range = {std::min(range.first, found), std::max(range.second, found)};
  } while (std::ranges::next_permutation(job_of).found);
  return range;
}

TEST(PlacementSearch, FindsWhatBruteForceFinds) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Case made;
    RandomCase(seed).fill(made);
    const auto [best, worst] = brute_force(made);
    const PlansOf plans_of = simple_plans(*made.topology);
    const FoundPlacements found =
        search_placements(*made.topology, made.tenants, plans_of, kElementPerSecond);
    EXPECT_TRUE(found.is_exact);
    ASSERT_EQ(found.best.slowdown, best) << "seed " << seed;
    ASSERT_EQ(found.worst.slowdown, worst) << "seed " << seed;
    ASSERT_EQ(slowdown(made, found.best.seats), best) << "seed " << seed;
    ASSERT_EQ(slowdown(made, found.worst.seats), worst) << "seed " << seed;
    // By swaps: between the best there is and where it began.
    std::vector<std::vector<Rank>> start;
    for (const Tenant& tenant : made.tenants) start.push_back(tenant.seats);
    const FoundPlacements climbed = search_placements(*made.topology, made.tenants, plans_of,
                                                      kElementPerSecond, {.most_exact = 0});
    EXPECT_FALSE(climbed.is_exact);
    EXPECT_GE(climbed.best.slowdown, best) << "seed " << seed;
    EXPECT_LE(climbed.best.slowdown, slowdown(made, start)) << "seed " << seed;
    EXPECT_GE(climbed.worst.slowdown, slowdown(made, start)) << "seed " << seed;
    EXPECT_LE(climbed.worst.slowdown, worst) << "seed " << seed;
  }
}

// Four pairs that exchange all the time, spread over two leaves: swaps bring each pair together.
TEST(PlacementSearch, BringsTogetherWhoTalks) {
  const auto topology = make_topology("leaf-spine(4,2,1)");
  const jobs::Job pair = jobs::testing::job_of_all({call(Collective::all_reduce, 0, 8)}, 2);
  std::vector<Tenant> tenants;
  for (std::size_t i = 0; i < 4; ++i) {
    tenants.push_back({.job = pair, .seats = {Rank(i), Rank(4 + i)}, .iterations = 2});
  }
  const FoundPlacements found =
      search_placements(*topology, tenants, simple_plans(*topology), kElementPerSecond,
                        {.most_exact = 0, .most_simulated = 400});
  EXPECT_NEAR(found.best.slowdown, 1, 1e-9);
  EXPECT_NEAR(found.worst.slowdown, 2, 1e-9) << "both hosts of a leaf send over its uplink";
  EXPECT_LE(found.simulated, 400U + 2 * 20U);
}

}  // namespace
}  // namespace gradwire::simulator
