#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/pattern.h"
#include "tests/collectives/algorithms/counts.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/transport/rank_group.h"
#include "topologies/registry.h"

/// Groups beside each other, and counts for each pair, with real bytes: every element that a rank must end with is the exact
/// sum of those who begin with it.
namespace gradwire::algorithms {
namespace {

using transport::testing::RankContext;

template <class Transport>
class GroupsExecute : public transport::testing::TransportTest<Transport> {
 protected:
  /// Runs the groups twice with fresh data, and counts wrong elements.
  static std::size_t wrong_elements(const std::string& name, const char* wiring,
                                    std::size_t elements) {
    const auto topology = topologies::make_topology(wiring);
    const Algorithm algorithm = testing::named(name, *topology);
    const Goal goal = algorithm.goal({.elements = elements});
    const auto plans = algorithm.proven_plans({.elements = elements});
    std::vector<std::size_t> wrong(plans.size(), 0);
    Transport transport(plans.size());
    const auto run = [&](RankContext& rank) {
      Pattern pattern(goal);
      for (std::size_t iteration = 0; iteration < 2; ++iteration) {
        pattern.turn_to(iteration);
        std::ranges::fill(rank.gradient, 0.0F);
        for (const Extent& e : goal.begins[rank.self.index()]) {
          pattern.fill(rank.gradient.subspan(e.first, e.count), rank.self, e.first);
        }
        rank.rendezvous.barrier();
        rank.executor.execute();
        for (const Extent& e : goal.ends[rank.self.index()]) {
          wrong[rank.self.index()] += pattern.count_wrong(rank.elements.part(e), e.first);
        }
        rank.rendezvous.barrier();
      }
    };
    transport::testing::expect_ended_well(
        transport::testing::run_ranks(transport, std::span<const Plan>(plans), goal.elements, run));
    return std::reduce(wrong.begin(), wrong.end());
  }
};

using Transports = ::testing::Types<transport::testing::Loopback, transport::testing::Tcp>;
TYPED_TEST_SUITE(GroupsExecute, Transports, transport::testing::TransportName);

TYPED_TEST(GroupsExecute, EveryElementIsExact) {
  struct Case {
    const char* name;
    const char* wiring;
  };
  for (const Case& one :
       {Case{"grid(4x2, rows=all-gather, columns=ring)", "single-switch(8)"},
        {"grid(3x3, rows=all-to-all, columns=reduce-scatter(bruck))", "bcube(3,2)"},
        {"grid(2x2x2, first=send(to=1), second=broadcast(chain), third=reduce)", "bcube(2,3)"},
        {"groups(ranks=0-2+8:4-6, run=ring)", "bcube(3,2)"}}) {
    for (const std::size_t elements : {1u, 97u, 10'007u}) {
      EXPECT_EQ(this->wrong_elements(one.name, one.wiring, elements), 0u)
          << one.name << ' ' << elements;
    }
  }
}

// What goes from one rank to another may be nothing, or ten times what others send.
TYPED_TEST(GroupsExecute, EveryElementOfUnequalBlocksIsExact) {
  const testing::CountsFile file("0,3,1,10\n2,0,0,2\n1,1,4,0\n0,0,0,0\n");
  for (const char* way : {"pairwise", "direct", "bcube"}) {
    for (const std::size_t elements : {14u, 10'007u}) {
      EXPECT_EQ(this->wrong_elements(file.name(way), "bcube(2,2)", elements), 0u)
          << way << ' ' << elements;
    }
  }
}

}  // namespace
}  // namespace gradwire::algorithms
