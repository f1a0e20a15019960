#include "harness/experiment/assumed_cost.h"

#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/schemas.h"
#include "testbed/shape.h"
#include "topologies/registry.h"

namespace gradwire::experiment {
namespace {

const LinkFacts kLink{.rate = {8e9}, .mtu = 9000, .startup = Seconds(5e-6)};

TEST(AssumedCost, TakesTheLinkForWhatIsNotSaid) {
  const schedule::Network network = network_of({}, kLink);
  EXPECT_DOUBLE_EQ(network.alpha.count(), 5e-6);
  EXPECT_DOUBLE_EQ(network.beta, 1e-9 / testbed::payload_fraction(9000));
  EXPECT_EQ(network.gamma, 0);
  EXPECT_DOUBLE_EQ(network_of({.alpha = Seconds(7e-6)}, kLink).alpha.count(), 7e-6);
  EXPECT_DOUBLE_EQ(network_of({.beta = 3e-9}, kLink).beta, 3e-9);
}

// BML on BCube(3,2): a = 2 k alpha, b = 2 (N-1)/(k N) beta. Ring on nine: a = 16 alpha.
TEST(AssumedCost, FollowsTheAlgorithmAndTheWiring) {
  const auto bcube = topologies::make_topology("bcube(3,2)");
  const AssumedCost cost{.beta = 1e-9};
  const schedule::Affine bml = assumed_cost(cost, "bml", *bcube, kLink);
  EXPECT_DOUBLE_EQ(bml.a.count(), 4 * 5e-6);
  EXPECT_DOUBLE_EQ(bml.b, 8.0 / 9 * 1e-9);
  EXPECT_DOUBLE_EQ(assumed_cost(cost, "ring", *bcube, kLink).a.count(), 16 * 5e-6);
  EXPECT_DOUBLE_EQ(assumed_cost({.row = "ring-as-plotted"}, "bml", *bcube, kLink).a.count(),
                   18 * 5e-6);
}

// Three start-ups up and three down on eight ranks; 2 M both ways in trees, 7/4 M when halving.
TEST(AssumedCost, KnowsTheTreesAndHalving) {
  const auto star = topologies::make_topology("single-switch(8)");
  const AssumedCost cost{.beta = 1e-9};
  const schedule::Affine tree = assumed_cost(cost, "double-tree", *star, kLink);
  EXPECT_DOUBLE_EQ(tree.a.count(), 6 * 5e-6);
  EXPECT_DOUBLE_EQ(tree.b, 2e-9);
  const schedule::Affine half = assumed_cost(cost, "halving-doubling", *star, kLink);
  EXPECT_DOUBLE_EQ(half.a.count(), 6 * 5e-6);
  EXPECT_DOUBLE_EQ(half.b, 1.75e-9);
}

TEST(AssumedCost, RefusesWhatHasNoFormula) {
  const auto star = topologies::make_topology("single-switch(4)");
  EXPECT_THROW(static_cast<void>(assumed_cost({}, "bml", *star, kLink)), InputError);
  EXPECT_THROW(static_cast<void>(assumed_cost({}, "gossip", *star, kLink)), InputError);
  EXPECT_THROW(static_cast<void>(assumed_cost({}, "ps(per-tensor)", *star, kLink)), InputError);
  EXPECT_NO_THROW(static_cast<void>(assumed_cost({.row = "ps"}, "ps(per-tensor)", *star, kLink)));
}

// Said in words, because the link may have another.
TEST(AssumedCost, ItsDefaultStartUpTimeIsSaidInTheSchemasText) {
  const auto schema = nlohmann::json::parse(text::schema("experiment"));
  const std::string text =
      schema.at(nlohmann::json::json_pointer("/properties/cost/properties/alpha/description"));
  EXPECT_THAT(text, ::testing::HasSubstr(fmt::format("or {:g}us.", kDefaultAlpha.count() * 1e6)));
}

}  // namespace
}  // namespace gradwire::experiment
