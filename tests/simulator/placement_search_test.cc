#include "simulator/placement_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"
#include "tests/simulator/rounding.h"

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
struct SearchCase {
  std::unique_ptr<const topologies::Topology> topology;
  std::vector<jobs::Job> jobs;  ///< different ones
  std::vector<Tenant> tenants;  ///< the last job may stand here twice
};

class RandomCase {
 public:
  explicit RandomCase(std::uint32_t seed) : random_(seed) {}

  /// Fills a case, to whose jobs its tenants refer.
  void fill(SearchCase& made) {
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
  static void add(SearchCase& made, const jobs::Job& job) {
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

double slowdown(const SearchCase& made, const std::vector<std::vector<Rank>>& seats) {
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
std::pair<double, double> brute_force(const SearchCase& made) {
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
    SearchCase made;
    RandomCase(seed).fill(made);
    const auto [best, worst] = brute_force(made);
    const PlansOf plans_of = simple_plans(*made.topology);
    const FoundPlacements found =
        search_placements(*made.topology, made.tenants, plans_of, kElementPerSecond);
    EXPECT_TRUE(found.is_exact);
    ASSERT_NEAR(found.best.slowdown, best, kRounding) << "seed " << seed;
    ASSERT_NEAR(found.worst.slowdown, worst, kRounding) << "seed " << seed;
    ASSERT_NEAR(slowdown(made, found.best.seats), best, kRounding) << "seed " << seed;
    ASSERT_NEAR(slowdown(made, found.worst.seats), worst, kRounding) << "seed " << seed;
    EXPECT_LE(found.bound, best + kRounding) << "seed " << seed;
    // Not all are tried, but so many that the best and the worst of these few are among them.
    const FoundPlacements climbed = search_placements(*made.topology, made.tenants, plans_of,
                                                      kElementPerSecond, {.most_exact = 0});
    EXPECT_FALSE(climbed.is_exact);
    EXPECT_NEAR(climbed.best.slowdown, best, kRounding) << "seed " << seed;
    EXPECT_NEAR(climbed.worst.slowdown, worst, kRounding) << "seed " << seed;
  }
}

/// Jobs of these sizes that do nothing but sum. Those of one size are equal, and stand side by side.
class Summing {
 public:
  Summing(const std::string& wiring, const std::vector<std::size_t>& sizes)
      : topology_(make_topology(wiring)) {
    for (const std::size_t ranks : sizes) {
      if (jobs_.empty() || jobs_.back()->ranks.size() != ranks) {
        jobs_.push_back(std::make_unique<const jobs::Job>(
            jobs::testing::job_of_all({call(Collective::all_reduce, 0, 24)}, ranks)));
      }
      tenants_.push_back(
          {.job = *jobs_.back(), .seats = std::vector<Rank>(ranks), .iterations = 1});
    }
  }

  /// Puts the jobs on any hosts.
  void shuffle() {
    std::vector<Rank> hosts = testing::first_hosts(topology_->hosts());
    std::mt19937 random(3);
    for (std::size_t i = hosts.size(); i > 1; --i) std::swap(hosts[i - 1], hosts[random() % i]);
    auto next = hosts.begin();
    for (Tenant& tenant : tenants_) {
      for (Rank& seat : tenant.seats) seat = *next++;
    }
  }

  [[nodiscard]] FoundPlacements search(const SearchLimits& limits) const {
    return search_placements(*topology_, tenants_, simple_plans(*topology_), kElementPerSecond,
                             limits);
  }

 private:
  std::unique_ptr<const topologies::Topology> topology_;
  std::vector<std::unique_ptr<const jobs::Job>> jobs_;
  std::vector<Tenant> tenants_;
};

/// How many ways there are to put `left` ranks of the jobs from `job` on below a leaf, where of equal jobs
/// none has more there than the one before it, which has `before`.
std::size_t ways(const std::vector<std::size_t>& sizes, std::size_t job, std::size_t before,
                 std::size_t left) {
  if (job == sizes.size()) return left == 0 ? 1 : 0;
  const bool is_equal = job > 0 && sizes[job] == sizes[job - 1];
  const std::size_t most = std::min(left, is_equal ? before : sizes[job]);
  std::size_t all = 0;
  for (std::size_t ranks = 0; ranks <= most; ++ranks) {
    all += ways(sizes, job + 1, ranks, left - ranks);
  }
  return all;
}

// Twenty hosts are all taken: 3 10^12 ways to do that, but only some to divide jobs among two leaves.
// 4, 3 and 3 fill one.
TEST(PlacementSearch, CountsHostsBelowALeafAsAlike) {
  const std::vector<std::size_t> sizes{4, 4, 3, 3, 3, 3};
  Summing jobs("leaf-spine(2,10,1)", sizes);
  jobs.shuffle();
  const FoundPlacements found = jobs.search({});
  EXPECT_TRUE(found.is_exact);
  EXPECT_EQ(found.simulated, ways(sizes, 0, 0, 10));
  EXPECT_NEAR(found.best.slowdown, 1, kRounding);
  EXPECT_NEAR(found.worst.slowdown, 6, kRounding) << "all six cross";
}

// The largest first leaves room for two on either leaf, and a job of three: swaps must find the way.
TEST(PlacementSearch, FindsWhatPackingMisses) {
  for (const char* wiring : {"leaf-spine(2,10,1)", "leaf-spine(2,10,2,speed=0.5)"}) {
    Summing jobs(wiring, {4, 4, 3, 3, 3, 3});
    jobs.shuffle();
    const FoundPlacements found = jobs.search({.most_exact = 0});
    EXPECT_NEAR(found.best.slowdown, 1, kRounding) << wiring;
    EXPECT_NEAR(found.bound, 1, kRounding) << wiring;
  }
}

// Eight jobs fit a leaf each, where none is slowed down. On all leaves each, eight ways up a leaf's one
// cable take eight times as long, and no more go up there: of the eight hosts of a leaf each sends to one.
TEST(PlacementSearch, FindsTheOptimaOfSixtyFourHosts) {
  Summing jobs("leaf-spine(8,8,1)", std::vector<std::size_t>(8, 8));
  jobs.shuffle();
  const FoundPlacements found = jobs.search({.most_simulated = 200});
  EXPECT_FALSE(found.is_exact);
  EXPECT_NEAR(found.best.slowdown, 1, kRounding);
  EXPECT_NEAR(found.best.sum, 8, kRounding);
  EXPECT_NEAR(found.bound, 1, kRounding);
  EXPECT_NEAR(found.worst.slowdown, 8, kRounding);
  EXPECT_LE(found.simulated, 200U);
}

// Pods of four hosts: routes differ from host to host, so no two are alike.
TEST(PlacementSearch, FindsTheBestPlacementOnAFatTree) {
  Summing jobs("fat-tree(4)", {4, 4, 2, 2, 2, 2});
  jobs.shuffle();
  const FoundPlacements found = jobs.search({.most_simulated = 300});
  EXPECT_NEAR(found.best.slowdown, 1, kRounding);
  EXPECT_GT(found.worst.slowdown, 1.5);
}

TEST(PlacementSearch, FindsTheSameAgain) {
  Summing jobs("leaf-spine(3,5,2)", {4, 3, 3, 2});
  jobs.shuffle();
  const SearchLimits limits{.most_exact = 0, .most_simulated = 100};
  const FoundPlacements one = jobs.search(limits);
  const FoundPlacements other = jobs.search(limits);
  EXPECT_EQ(one.simulated, other.simulated);
  EXPECT_LE(one.simulated, 100U);
  EXPECT_EQ(one.best.seats, other.best.seats);
  EXPECT_EQ(one.worst.seats, other.worst.seats);
}

// What is found is no worse than where the search begins, however little it may try.
TEST(PlacementSearch, TriesThePlacementOfTheListFirst) {
  Summing jobs("leaf-spine(2,10,1)", {4, 4, 3, 3, 3, 3});
  jobs.shuffle();
  const FoundPlacements found = jobs.search({.most_exact = 0, .most_simulated = 2});
  EXPECT_EQ(found.simulated, 2U);
  EXPECT_LE(found.best.slowdown, found.worst.slowdown);
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
  EXPECT_LE(found.simulated, 400U);
}

}  // namespace
}  // namespace gradwire::simulator
