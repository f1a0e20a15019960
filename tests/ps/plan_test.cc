#include "ps/plan.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "workloads/model.h"

/// The parameter server against its closed forms, on one switch, on Fat-Tree and on BCube.
namespace gradwire::ps {
namespace {

using ::testing::IsEmpty;
using topologies::make_topology;
using topologies::Topology;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements,
                           const Options& options = {}) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(plan(topology, Rank(i), elements, options));
  }
  return plans;
}

/// GST in T_F: what the links carry, step after step.
double bound(const Topology& topology, std::size_t elements, const Options& options = {}) {
  return topologies::step_bound(topology, plans_of(topology, elements, options)) /
         static_cast<double>(elements);
}

TEST(ParameterServer, SumsCorrectlyWhateverTheElementCount) {
  for (const char* wiring :
       {"single-switch(2)", "single-switch(9)", "bcube(3,2)", "bcube(2,3)", "fat-tree(4)"}) {
    const auto topology = make_topology(wiring);
    for (const std::size_t elements : {0u, 1u, 5u, 97u, 1009u}) {
      EXPECT_THAT(check_plans(plans_of(*topology, elements), elements), IsEmpty()) << wiring;
    }
  }
}

// Balanced, every rank both: 2(N-1)/N T_F.
TEST(ParameterServer, BalancedTakesAsLongAsARing) {
  const auto topology = make_topology("single-switch(9)");
  EXPECT_NEAR(bound(*topology, 900), 16.0 / 9, 1e-9);
  EXPECT_NEAR(closed_form(9, 900), 16.0 / 9, 1e-9);
}

// Figure 5 of the BML paper, push and pull one after the other: 1.875 on Fat-Tree(4); on BCube(n,2)
// 2(n-1)/n, without aggregation on the way.
TEST(ParameterServer, Figure5) {
  EXPECT_NEAR(bound(*make_topology("fat-tree(4)"), 1600), 1.875, 1e-9);
  EXPECT_NEAR(bound(*make_topology("bcube(4,2)"), 1600), 1.5, 1e-9);
  EXPECT_NEAR(bound(*make_topology("bcube(3,2)"), 900), 4.0 / 3, 1e-9);
}

// The owner of fc1.weight, 98.1 % of LeNet-5, takes 8 pushes and 8 pulls of it.
TEST(ParameterServer, PerTensorIsBoundByTheLargestTensor) {
  const auto model = workloads::load_model("lenet5");
  const Options options{.placement = Placement::per_tensor,
                        .tensors = workloads::extents_of(model)};
  const auto topology = make_topology("single-switch(9)");
  const auto plans = plans_of(*topology, model.elements(), options);
  EXPECT_THAT(check_plans(plans, model.elements()), IsEmpty());
  const double share = 3'211'264.0 / 3'274'634.0;
  EXPECT_NEAR(share, 0.981, 0.0005);
  EXPECT_NEAR(bound(*topology, model.elements(), options), 16 * share, 1e-9);
  EXPECT_NEAR(closed_form(9, model.elements(), options), 16 * share, 1e-9);
}

TEST(ParameterServer, PerTensorKeepsTensorsWhole) {
  const Options options{.placement = Placement::per_tensor, .tensors = {{0, 5}, {5, 2}, {7, 3}}};
  const auto topology = make_topology("single-switch(2)");
  const auto plans = plans_of(*topology, 10, options);
  EXPECT_THAT(check_plans(plans, 10), IsEmpty());
  const Step& push = plans[1].lanes[0][0];  // tensors 0 and 2 live on rank 0, tensor 1 on rank 1
  ASSERT_EQ(push.sends.size(), 2u);
  EXPECT_EQ(push.sends[0].what, (Extent{0, 5}));
  EXPECT_EQ(push.sends[1].what, (Extent{7, 3}));
  ASSERT_EQ(push.recvs.size(), 1u);
  EXPECT_EQ(push.recvs[0].where, (Extent{5, 2}));
}

// The single reducer of the Baidu text: (N-1) K one way, here both ways.
TEST(ParameterServer, OneServerIsTheSingleReducer) {
  const auto topology = make_topology("single-switch(10)");
  const Options options{.servers = 1};
  EXPECT_THAT(check_plans(plans_of(*topology, 100, options), 100), IsEmpty());
  EXPECT_NEAR(bound(*topology, 100, options), 2 * 9, 1e-9);
  EXPECT_NEAR(closed_form(10, 100, options), 2 * 9, 1e-9);
}

TEST(ParameterServer, SharesMayTravelAsPieces) {
  const auto topology = make_topology("bcube(3,2)");
  for (const std::size_t elements : {0u, 1u, 5u, 97u, 1009u}) {
    for (const Options& options : {Options{.pieces = 4}, Options{.servers = 2, .pieces = 7},
                                   Options{.servers = 2, .dedicated = true, .pieces = 7}}) {
      EXPECT_THAT(check_plans(plans_of(*topology, elements, options), goal(9, elements, options)),
                  IsEmpty())
          << elements;
    }
  }
  const Plan pushed = plan(*topology, Rank(8), 90, {.servers = 1, .pieces = 4});
  EXPECT_THAT(pushed.lanes[0][0].sends, ::testing::SizeIs(4));
}

// Two dedicated servers of eight ranks: 6 workers push half the gradient to each, 2 (6/2) T_F.
TEST(ParameterServer, DedicatedServersDoNotContribute) {
  const auto topology = make_topology("single-switch(8)");
  const Options options{.servers = 2, .dedicated = true};
  const auto plans = plans_of(*topology, 80, options);
  const Goal wanted = goal(8, 80, options);
  EXPECT_THAT(check_plans(plans, wanted), IsEmpty());
  EXPECT_EQ(servers(wanted), (std::vector<Rank>{Rank(0), Rank(1)}));
  EXPECT_EQ(contributors(wanted).front(), Rank(2));
  EXPECT_NEAR(bound(*topology, 80, options), 6, 1e-9);
  EXPECT_NEAR(closed_form(8, 80, options), 6, 1e-9);
}

TEST(ParameterServer, RefusesWhatDoesNotFit) {
  const auto topology = make_topology("single-switch(3)");
  const auto refused = [&](const Options& options) {
    EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 10, options)), InputError);
  };
  const auto refused_for_all = [&](const Options& options) {
    refused(options);
    EXPECT_THROW(static_cast<void>(goal(3, 10, options)), InputError);
  };
  refused_for_all({.servers = 4});
  refused_for_all({.servers = 4, .dedicated = true});
  refused_for_all({.servers = 3, .dedicated = true});
  refused_for_all({.dedicated = true});
  refused({.pieces = 0});
  refused({.placement = Placement::per_tensor});
  refused({.placement = Placement::per_tensor, .tensors = {{0, 4}, {5, 5}}});
}

}  // namespace
}  // namespace gradwire::ps
