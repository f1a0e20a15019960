#include "bml/plan.h"

#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/plan_check.h"
#include "topologies/bcube.h"
#include "topologies/load.h"

/// Algorithm 1 of the BML paper against the paper's worked example and its closed forms.
namespace gradwire::bml {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using topologies::BCube;

std::vector<Plan> plans_of(const BCube& wiring, std::size_t elements) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < wiring.hosts(); ++i) plans.push_back(plan(wiring, Rank(i), elements));
  return plans;
}

/// Server [v1, v0] of BCube(3,2).
Rank server(std::size_t v1, std::size_t v0) {
  return Rank(3 * v1 + v0);
}

/// The pieces <thread, v1, v0> that lie in an extent, as (v1, v0).
std::set<std::pair<std::size_t, std::size_t>> pieces_in(const BCube& wiring, std::size_t elements,
                                                        std::size_t thread, const Extent& extent) {
  std::set<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t v1 = 0; v1 < 3; ++v1) {
    for (std::size_t v0 = 0; v0 < 3; ++v0) {
      const Extent piece =
          extent_of(wiring.digits(), elements, {.thread = thread, .owner = server(v1, v0)});
      if (overlap(piece, extent)) pieces.emplace(v1, v0);
    }
  }
  return pieces;
}

class WorkedExample : public ::testing::Test {
 protected:
  static constexpr std::size_t kElements = 18;  // one per piece
  const BCube wiring{3, 2};
  const Plan plan_ = plan(wiring, server(0, 0), kElements);

  [[nodiscard]] auto sent(std::size_t thread, std::size_t step, Rank to) const {
    for (const Send& send : plan_.lanes[thread][step].sends) {
      if (send.to.rank == to) return pieces_in(wiring, kElements, thread, send.what);
    }
    return std::set<std::pair<std::size_t, std::size_t>>{};
  }
  [[nodiscard]] auto received(std::size_t thread, std::size_t step, Rank from) const {
    for (const Recv& recv : plan_.lanes[thread][step].recvs) {
      if (recv.from.rank == from) return pieces_in(wiring, kElements, thread, recv.where);
    }
    return std::set<std::pair<std::size_t, std::size_t>>{};
  }
};

TEST_F(WorkedExample, HasEighteenPiecesThatTileTheGradient) {
  std::set<std::size_t> elements;
  for (std::size_t thread = 0; thread < 2; ++thread) {
    for (std::size_t owner = 0; owner < 9; ++owner) {
      const Extent piece =
          extent_of(wiring.digits(), kElements, {.thread = thread, .owner = Rank(owner)});
      EXPECT_EQ(piece.count, 1u);
      elements.insert(piece.first);
    }
  }
  EXPECT_EQ(elements.size(), 18u);
}

// "It sends <0,*,1>([0,0]) to server [0,1] and <0,*,2>([0,0]) to server [0,2] ... receives
// <0,*,0>([0,1]) from [0,1] and <0,*,0>([0,2]) from [0,2]."
TEST_F(WorkedExample, FirstAggregationStep) {
  EXPECT_THAT(sent(0, 0, server(0, 1)),
              UnorderedElementsAre(std::pair(0u, 1u), std::pair(1u, 1u), std::pair(2u, 1u)));
  EXPECT_THAT(sent(0, 0, server(0, 2)),
              UnorderedElementsAre(std::pair(0u, 2u), std::pair(1u, 2u), std::pair(2u, 2u)));
  const auto own = UnorderedElementsAre(std::pair(0u, 0u), std::pair(1u, 0u), std::pair(2u, 0u));
  EXPECT_THAT(received(0, 0, server(0, 1)), own);
  EXPECT_THAT(received(0, 0, server(0, 2)), own);
}

// "It sends <0,1,0>([0,*]) to [1,0] and <0,2,0>([0,*]) to [2,0] ... receives <0,0,0> from both."
TEST_F(WorkedExample, SecondAggregationStep) {
  EXPECT_THAT(sent(0, 1, server(1, 0)), UnorderedElementsAre(std::pair(1u, 0u)));
  EXPECT_THAT(sent(0, 1, server(2, 0)), UnorderedElementsAre(std::pair(2u, 0u)));
  EXPECT_THAT(received(0, 1, server(1, 0)), UnorderedElementsAre(std::pair(0u, 0u)));
  EXPECT_THAT(received(0, 1, server(2, 0)), UnorderedElementsAre(std::pair(0u, 0u)));
}

// "It broadcasts <0,0,0>([*,*]) to [1,0] and [2,0] ... receives <0,1,0> from [1,0] and <0,2,0> from
// [2,0]."
TEST_F(WorkedExample, FirstBroadcastStep) {
  EXPECT_THAT(sent(0, 2, server(1, 0)), UnorderedElementsAre(std::pair(0u, 0u)));
  EXPECT_THAT(sent(0, 2, server(2, 0)), UnorderedElementsAre(std::pair(0u, 0u)));
  EXPECT_THAT(received(0, 2, server(1, 0)), UnorderedElementsAre(std::pair(1u, 0u)));
  EXPECT_THAT(received(0, 2, server(2, 0)), UnorderedElementsAre(std::pair(2u, 0u)));
}

// "Every thread broadcasts its 3 fully-aggregated pieces", thread 0 over level 0.
TEST_F(WorkedExample, SecondBroadcastStep) {
  const auto own = UnorderedElementsAre(std::pair(0u, 0u), std::pair(1u, 0u), std::pair(2u, 0u));
  EXPECT_THAT(sent(0, 3, server(0, 1)), own);
  EXPECT_THAT(sent(0, 3, server(0, 2)), own);
  EXPECT_THAT(received(0, 3, server(0, 1)),
              UnorderedElementsAre(std::pair(0u, 1u), std::pair(1u, 1u), std::pair(2u, 1u)));
  EXPECT_THAT(received(0, 3, server(0, 2)),
              UnorderedElementsAre(std::pair(0u, 2u), std::pair(1u, 2u), std::pair(2u, 2u)));
}

// "In this step thread 0 uses level-0 links only, thread 1 level-1 links only", then the other way.
TEST_F(WorkedExample, ThreadsUseTheOtherLevelInEveryStep) {
  const std::vector<std::size_t> levels_of_thread_0{0, 1, 1, 0};
  for (std::size_t step = 0; step < 4; ++step) {
    for (const Send& send : plan_.lanes[0][step].sends) {
      EXPECT_EQ(send.to.via, Port(levels_of_thread_0[step]));
    }
    for (const Send& send : plan_.lanes[1][step].sends) {
      EXPECT_EQ(send.to.via, Port(1 - levels_of_thread_0[step]));
    }
  }
}

// Steps take 6, 2, 2, 6 T_C: with one element per piece, that many elements per port and direction.
TEST_F(WorkedExample, StepsTakeSixTwoTwoSix) {
  const std::vector<std::uint64_t> expected{6, 2, 2, 6};
  for (const Plan& each : plans_of(wiring, kElements)) {
    for (std::size_t step = 0; step < 4; ++step) {
      for (const PortCount& port : count_ports(each, step)) {
        EXPECT_EQ(port, (PortCount{.sent = expected[step], .received = expected[step]}));
      }
    }
  }
}

struct Size {
  std::size_t n;
  std::size_t k;
  std::size_t pieces_of_time;  ///< GST in T_C: 2(N-1)
};

class EveryBCube : public ::testing::TestWithParam<Size> {};

INSTANTIATE_TEST_SUITE_P(Sizes, EveryBCube,
                         ::testing::Values(Size{3, 2, 16}, Size{4, 2, 30}, Size{5, 2, 48},
                                           Size{2, 3, 14}, Size{3, 3, 52}, Size{2, 4, 30}));

TEST_P(EveryBCube, SumsCorrectlyWhateverTheElementCount) {
  const BCube wiring(GetParam().n, GetParam().k);
  const std::size_t pieces = wiring.k() * wiring.hosts();
  for (const std::size_t elements : {std::size_t{0}, std::size_t{1}, wiring.hosts() - 1, pieces - 1,
                                     pieces, std::size_t{97}, std::size_t{1009}, 7 * pieces}) {
    EXPECT_THAT(check_plans(plans_of(wiring, elements), elements), IsEmpty()) << elements;
  }
}

// Step w takes N/n^(w+1) (n-1) T_C, broadcast in reverse; both stages together 2(N-1) T_C.
TEST_P(EveryBCube, StepsTakeTheirClosedForm) {
  const BCube wiring(GetParam().n, GetParam().k);
  const std::size_t elements = wiring.k() * wiring.hosts();  // one per piece
  const auto plans = plans_of(wiring, elements);
  std::vector<std::size_t> expected;
  for (std::size_t w = 0, group = wiring.hosts(); w < wiring.k(); ++w) {
    group /= wiring.n();
    expected.push_back(group * (wiring.n() - 1));
  }
  for (std::size_t w = wiring.k(); w-- > 0;) expected.push_back(expected[w]);
  for (std::size_t step = 0; step < expected.size(); ++step) {
    EXPECT_EQ(topologies::load_of_step(wiring, plans, step).max(), expected[step]);
  }
  EXPECT_EQ(std::accumulate(expected.begin(), expected.end(), std::size_t{0}),
            GetParam().pieces_of_time);
}

// In every step the k threads of a rank use its k ports, and every port of every rank carries the
// same in both directions.
TEST_P(EveryBCube, AllPortsAreEquallyLoadedInEveryStep) {
  const BCube wiring(GetParam().n, GetParam().k);
  const auto plans = plans_of(wiring, 5 * wiring.k() * wiring.hosts());
  for (std::size_t step = 0; step < 2 * wiring.k(); ++step) {
    const std::vector<PortCount> first = count_ports(plans[0], step);
    ASSERT_EQ(first.size(), wiring.k());
    for (const Plan& each : plans) {
      std::set<Port> ports;
      for (const Lane& lane : each.lanes) {
        for (const Send& send : lane[step].sends)
          EXPECT_EQ(send.to.via, lane[step].sends[0].to.via);
        ports.insert(lane[step].sends[0].to.via);
      }
      EXPECT_EQ(ports.size(), wiring.k());
      for (const PortCount& port : count_ports(each, step)) {
        EXPECT_EQ(port, (PortCount{.sent = first[0].sent, .received = first[0].sent}));
      }
    }
  }
}

// GST = 2(N-1)/(kN) T_F, and the count of what the links carry says the same.
TEST_P(EveryBCube, ClosedFormIsWhatTheLinksCarry) {
  const BCube wiring(GetParam().n, GetParam().k);
  const std::size_t elements = 10 * wiring.k() * wiring.hosts();
  const double hosts = static_cast<double>(wiring.hosts());
  const double expected = 2 * (hosts - 1) / (static_cast<double>(wiring.k()) * hosts);
  EXPECT_DOUBLE_EQ(closed_form(wiring.n(), wiring.k()), expected);
  const double bound = topologies::step_bound(wiring, plans_of(wiring, elements));
  EXPECT_NEAR(bound / static_cast<double>(elements), expected, 1e-9);
}

}  // namespace
}  // namespace gradwire::bml
