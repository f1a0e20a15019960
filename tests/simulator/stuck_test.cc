#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"
#include "simulator/simulation.h"
#include "tests/simulator/plans.h"
#include "tests/simulator/rounding.h"
#include "topologies/registry.h"

/// Cables that are down, and Plans that cannot end.
namespace gradwire::simulator {
namespace {

using ::testing::HasSubstr;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::plans_of;
using testing::receive;
using testing::send;
using testing::Topology;

/// Both directions of a node's cables.
Outage down(const Topology& topology, std::size_t node, double from, double until = kNever) {
  Outage outage{.what = "host " + std::to_string(node), .from = from, .until = until};
  for (std::size_t port = 0; port < topology.ports_of(NodeId(node)); ++port) {
    const std::size_t cable = topology.link_at({NodeId(node), Port(port)}).index();
    outage.links.insert(outage.links.end(), {2 * cable, 2 * cable + 1});
  }
  return outage;
}

Outage cable_down(std::size_t cable, double from, double until = kNever) {
  return {.what = "cable " + std::to_string(cable),
          .links = {2 * cable, 2 * cable + 1},
          .from = from,
          .until = until};
}

Outcome run_with_outages(const Topology& topology, std::vector<Plan> plans,
                         std::vector<Outage> outages) {
  return simulate(WholeFabric(topology), std::move(plans), kElementPerSecond,
                  {.record = true, .outages = std::move(outages)});
}

/// What stops it; nothing when it ends.
std::optional<FabricError> error_of(const Topology& topology, const std::vector<Plan>& plans,
                                    std::vector<Outage> outages) {
  try {
    static_cast<void>(run_with_outages(topology, plans, std::move(outages)));
    return std::nullopt;
  } catch (const FabricError& error) {
    return error;
  }
}

FabricPlace place(std::size_t rank, std::size_t peer, std::size_t step) {
  return {.rank = Rank(rank), .peer = Rank(peer), .port = Port(0), .lane = 0, .step = step};
}

// Chunks of 1 s. In step 1 host 2's cable fails: 1 -> 2 and 2 -> 3 stand still. 3 -> 0 and 0 -> 1
// go on, 0 -> 1 also in step 2 with what 0 has then, until 3.
TEST(Stuck, ARingWithAHostDownForEver) {
  const auto topology = make_topology("single-switch(4)");
  const auto error = error_of(*topology, plans_of("ring", *topology, 4), {down(*topology, 2, 1.5)});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->failure(), FabricFailure::stalled);
  EXPECT_EQ(error->place(), place(2, 1, 1));
  EXPECT_THAT(error->detail(), HasSubstr("at 3 s nothing can happen"));
  EXPECT_THAT(error->detail(), HasSubstr("down: host 2 (since 1.5 s)"));
  EXPECT_THAT(error->detail(), HasSubstr("also rank 3 waits for rank 2"));
}

// Only what is still down is to blame.
TEST(Stuck, NamesTheOutagesThatLast) {
  const auto topology = make_topology("single-switch(4)");
  const auto error = error_of(*topology, plans_of("ring", *topology, 4),
                              {down(*topology, 0, 0.25, 0.5), down(*topology, 2, 1.5)});
  ASSERT_TRUE(error.has_value());
  EXPECT_THAT(error->detail(), HasSubstr("host 2"));
  EXPECT_THAT(error->detail(), ::testing::Not(HasSubstr("host 0")));
}

// A port of BML is one of several; the other lanes' ports are not to blame.
TEST(Stuck, NamesThePortAndTheLane) {
  const auto topology = make_topology("bcube(3,2)");
  const std::size_t cable = topology->link_at({NodeId(4), Port(1)}).index();
  const auto error = error_of(*topology, plans_of("bml", *topology, 180), {cable_down(cable, 0)});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->place(),
            (FabricPlace{.rank = Rank(1), .peer = Rank(4), .port = Port(1), .lane = 1, .step = 0}));
}

// A ring of N - 1 + N - 1 steps in lockstep: what holds up one rank holds up all by as much.
TEST(Stuck, ARingIsAsMuchLater) {
  const auto topology = make_topology("single-switch(4)");
  const auto plans = plans_of("ring", *topology, 4);
  EXPECT_DOUBLE_EQ(run_with_outages(*topology, plans, {down(*topology, 2, 1.5, 2.75)}).end_of(0),
                   6 + 1.25);
  EXPECT_DOUBLE_EQ(run_with_outages(*topology, plans, {down(*topology, 2, 0, 10)}).end_of(0),
                   6 + 10);
  EXPECT_DOUBLE_EQ(run_with_outages(*topology, plans, {down(*topology, 2, 6, 10)}).end_of(0), 6);
}

// Down twice at once is down until both are over.
TEST(Stuck, OutagesOverlap) {
  const auto topology = make_topology("single-switch(4)");
  const auto plans = plans_of("ring", *topology, 4);
  EXPECT_DOUBLE_EQ(
      run_with_outages(*topology, plans, {down(*topology, 2, 1, 3), down(*topology, 2, 2, 5)})
          .end_of(0),
      6 + 4);
  EXPECT_DOUBLE_EQ(
      run_with_outages(*topology, plans, {down(*topology, 2, 1, 5), down(*topology, 2, 2, 3)})
          .end_of(0),
      6 + 4);
}

/// Every moment at which something begins or ends.
std::set<double> moments(const Outcome& outcome) {
  std::set<double> all{0};
  for (const SimulatedTransfer& transfer : outcome.transfers) {
    all.insert({transfer.posted, transfer.done});
  }
  return all;
}

/// Whether the message that the place names crosses the cable.
bool is_on(const Topology& topology, const FabricPlace& place, std::size_t cable) {
  const auto route = topology.route(*place.peer, *place.rank, *place.port);
  return std::ranges::any_of(route,
                             [&](const topologies::Hop& hop) { return hop.link.index() == cable; });
}

/// Fails one cable at one moment for ever; returns whether that stops anything.
bool stops(const Topology& topology, const std::vector<Plan>& plans, std::size_t cable, double at) {
  const auto error = error_of(topology, plans, {cable_down(cable, at)});
  if (!error) return false;
  EXPECT_EQ(error->failure(), FabricFailure::stalled);
  EXPECT_TRUE(is_on(topology, error->place(), cable)) << error->what();
  EXPECT_THAT(error->detail(), HasSubstr("cable " + std::to_string(cable)));
  return true;
}

/// Calls visit(topology, plans, end, cable, moment) for every cable at every moment of a run.
template <class Visit>
void for_each_failure(const std::string& algorithm, const std::string& wiring, const Visit& visit) {
  const auto topology = make_topology(wiring);
  const auto plans = plans_of(algorithm, *topology, 360);
  const Outcome undisturbed = run_with_outages(*topology, plans, {});
  for (std::size_t cable = 0; cable < topology->links().size(); ++cable) {
    for (const double at : moments(undisturbed)) {
      SCOPED_TRACE(algorithm + " on " + wiring + ", cable " + std::to_string(cable) + " at " +
                   std::to_string(at));
      visit(*topology, plans, undisturbed.end_of(0), cable, at);
    }
  }
}

// Where every cable is in use to the end: for ever, it stops somebody whose message crosses it; for
// a while, it costs that while, at most once for every step.
TEST(Stuck, EveryCableAtEveryMoment) {
  for (const char* wiring : {"bcube(2,2)", "bcube(3,2)"}) {
    for (const char* algorithm : {"bml", "ps"}) {
      for_each_failure(algorithm, wiring,
                       [](const Topology& topology, const std::vector<Plan>& plans, double end,
                          std::size_t cable, double at) {
                         EXPECT_EQ(stops(topology, plans, cable, at), at < end);
                         const double pause = end * 1e-3;
                         const double most = static_cast<double>(step_count(plans[0])) * pause;
                         const Outcome later =
                             run_with_outages(topology, plans, {cable_down(cable, at, at + pause)});
                         EXPECT_GE(later.end_of(0), end * (1 - kRounding));
                         EXPECT_LE(later.end_of(0), (end + most) * (1 + kRounding));
                       });
    }
  }
}

// Where cables also idle, it stops somebody on it or nobody; for a while it stops nobody.
TEST(Stuck, EveryCableAtEveryMomentOfOthers) {
  for (const char* algorithm : {"ring", "double-tree", "hierarchical"}) {
    for_each_failure(algorithm, "bcube(2,2)",
                     [](const Topology& topology, const std::vector<Plan>& plans, double,
                        std::size_t cable, double at) {
                       static_cast<void>(stops(topology, plans, cable, at));
                       EXPECT_NO_THROW(static_cast<void>(
                           run_with_outages(topology, plans, {cable_down(cable, at, at + 1)})));
                     });
  }
}

// Each waits for the other first: nothing is down, and nothing moves.
TEST(Stuck, PlansThatWaitForEachOther) {
  std::vector<Lane> lanes(2, Lane(2));
  for (std::size_t rank = 0; rank < 2; ++rank) {
    lanes[rank][0].recvs = {receive(1 - rank, {0, 4})};
    lanes[rank][1].sends = {send(1 - rank, {0, 4})};
  }
  const auto error = error_of(*make_topology("single-switch(2)"), plans_of(lanes), {});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->failure(), FabricFailure::stalled);
  EXPECT_EQ(error->place(), place(0, 1, 0));
  EXPECT_THAT(error->detail(), HasSubstr("rank 1 waits for rank 0"));
  EXPECT_THAT(error->detail(), ::testing::Not(HasSubstr("down")));
}

// Any one receive or send less, or shorter, and the Plans do not belong together.
TEST(Stuck, PlansThatDoNotMeet) {
  for (const char* wiring : {"single-switch(4)", "bcube(2,2)"}) {
    const auto topology = make_topology(wiring);
    for (const auto& [algorithm, make_plan] : testing::algorithms()) {
      if (!testing::fits(algorithm, *topology)) continue;
      SCOPED_TRACE(algorithm + " on " + wiring);
      const auto plans = plans_of(algorithm, *topology, 24);
      const Lane& first = plans[1].lanes[0];
      for (std::size_t step = 0; step < first.size(); ++step) {
        if (!first[step].recvs.empty()) {
          auto without = plans;
          without[1].lanes[0][step].recvs.pop_back();
          EXPECT_THROW(run_with_outages(*topology, without, {}), InternalError) << step;
          auto shorter = plans;
          --shorter[1].lanes[0][step].recvs.back().where.count;
          EXPECT_THROW(run_with_outages(*topology, shorter, {}), InternalError) << step;
        }
        if (!first[step].sends.empty()) {
          auto without = plans;
          without[1].lanes[0][step].sends.pop_back();
          EXPECT_THROW(run_with_outages(*topology, without, {}), InternalError) << step;
        }
      }
      auto fewer = plans;
      fewer.pop_back();
      EXPECT_THROW(run_with_outages(*topology, fewer, {}), InternalError);
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
