#include "topologies/describe.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::unique_ptr<const Topology>> the_1024() {
  std::vector<std::unique_ptr<const Topology>> wirings;
  wirings.push_back(make_topology("bcube(32,2)"));
  wirings.push_back(make_topology("fat-tree(16)"));
  return wirings;
}

TEST(Describe, ShowsASmallWiringWhole) {
  EXPECT_EQ(describe(*make_topology("bcube(2,2)")),
            "bcube(2,2)\n"
            "hosts     4, ports each: 2\n"
            "switches  4, ports each: 2, bridging (level 0: 2, level 1: 2)\n"
            "cost      switches 4, switch ports 8, NICs 8, cables 8\n"
            "cut       0.7500 T_F: each host's NICs\n"
            "\n"
            "rank  label  port  address        wired to                 other ranks there\n"
            "   0  0,0       0  10.100.0.1/24  level 0 switch 0 port 0  1\n"
            "   0  0,0       1  10.101.0.1/24  level 1 switch 0 port 0  2\n"
            "   1  0,1       0  10.100.0.2/24  level 0 switch 0 port 1  0\n"
            "   1  0,1       1  10.101.1.1/24  level 1 switch 1 port 0  3\n"
            "   2  1,0       0  10.100.1.1/24  level 0 switch 1 port 0  3\n"
            "   2  1,0       1  10.101.0.2/24  level 1 switch 0 port 1  0\n"
            "   3  1,1       0  10.100.1.2/24  level 0 switch 1 port 1  2\n"
            "   3  1,1       1  10.101.1.2/24  level 1 switch 1 port 1  1\n");
}

TEST(Describe, CountsWhatItLeavesOut) {
  const std::string text =
      describe(*make_topology("bcube(16,2)"), {.max_rows = 7, .max_neighbours = 3});
  EXPECT_THAT(text, HasSubstr("\n253 of 256 hosts left out\n")) << "three hosts with two rows each";
  EXPECT_THAT(text, HasSubstr("   2  0,2       0"));
  EXPECT_THAT(text, Not(HasSubstr("   3  0,3")));
  EXPECT_THAT(text, HasSubstr("1 2 3 and 12 more\n"));
}

TEST(Describe, ShowsAWiringWithoutAddresses) {
  const std::string text = describe(*make_topology("single-switch(300)"));
  EXPECT_THAT(text, HasSubstr("  -  "));
  EXPECT_THAT(text, HasSubstr("\nno addresses: "));
  EXPECT_THAT(describe(*make_topology("single-switch(3)")), Not(HasSubstr("no addresses")));
}

TEST(CostTable, HasOneRowPerWiring) {
  EXPECT_EQ(
      cost_table(the_1024()),
      "wiring        hosts  switches  ports_per_switch  switch_ports  nics  cables     cut\n"
      "bcube(32,2)    1024        64                32          2048  2048    2048  0.9990\n"
      "fat-tree(16)   1024       320                16          5120  1024    3072  1.9980\n");
}

TEST(CostCsv, QuotesNames) {
  EXPECT_EQ(cost_csv(the_1024()),
            "wiring,hosts,switches,ports_per_switch,switch_ports,nics,cables,cut\n"
            "\"bcube(32,2)\",1024,64,32,2048,2048,2048,0.9990\n"
            "\"fat-tree(16)\",1024,320,16,5120,1024,3072,1.9980\n");
}

TEST(CostJson, IsAnArrayOfObjects) {
  const auto json = nlohmann::json::parse(cost_json(the_1024()));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json.at(1).at("wiring"), "fat-tree(16)");
  EXPECT_EQ(json.at(1).at("switch_ports"), 5120);
  EXPECT_EQ(json.at(0).at("nics"), 2048);
  EXPECT_DOUBLE_EQ(json.at(0).at("cut"), 2 * 1023.0 / 2048);
  EXPECT_EQ(json.at(0).at("cut_at"), "each host's NICs");
  EXPECT_FALSE(json.at(0).contains("price"));
}

// 64 and 320 switches, 2048 and 1024 NICs.
TEST(CostTable, HasAColumnForPrices) {
  const Prices prices{.per_switch = 100, .per_nic = 0.25};
  EXPECT_EQ(cost_csv(the_1024(), prices),
            "wiring,hosts,switches,ports_per_switch,switch_ports,nics,cables,cut,price\n"
            "\"bcube(32,2)\",1024,64,32,2048,2048,2048,0.9990,6912\n"
            "\"fat-tree(16)\",1024,320,16,5120,1024,3072,1.9980,32256\n");
  EXPECT_THAT(cost_table(the_1024(), prices), HasSubstr("  1.9980  32256\n"));
  EXPECT_EQ(nlohmann::json::parse(cost_json(the_1024(), prices)).at(1).at("price"), 32256.0);
}

TEST(Describe, ShowsAWiringWithoutSwitches) {
  const std::string text = describe(*make_topology("torus(3,2)"));
  EXPECT_THAT(text, HasSubstr("switches  0\n"));
  EXPECT_THAT(text, HasSubstr("\n   5  1,2       0  -        host 3 (1,0) port 1  3\n"));
  EXPECT_THAT(text, HasSubstr("it can only be simulated\n"));
}

TEST(Describe, ShowsSpeedsThatAreNotOne) {
  const std::string text = describe(*make_topology("leaf-spine(2,3,2,speed=2.5)"));
  EXPECT_THAT(text, HasSubstr("\nspeeds    6 cables of 1, 4 of 2.5\n"));
  EXPECT_THAT(text, HasSubstr("switches  4, ports each: 2 to 5, routing (leaf: 2, spine: 2)\n"));
  EXPECT_THAT(describe(*make_topology("leaf-spine(2,3,2)")), Not(HasSubstr("speed")));
}

}  // namespace
}  // namespace gradwire::topologies
