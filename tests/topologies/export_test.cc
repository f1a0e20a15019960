#include "topologies/export.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ExportJson, HoldsTheWholeGraph) {
  const auto cube = make_topology("bcube(3,2)");
  const auto json = nlohmann::json::parse(export_json(*cube));
  EXPECT_EQ(json.at("wiring"), "bcube(3,2)");
  EXPECT_EQ(json.at("switch_kind"), "bridge");
  EXPECT_EQ(json.at("cost").at("switch_ports"), 18);
  ASSERT_EQ(json.at("hosts").size(), 9u);
  ASSERT_EQ(json.at("switches").size(), 6u);
  ASSERT_EQ(json.at("links").size(), 18u);
  EXPECT_EQ(json.at("switches").at(4).at("tier"), "level 1");
  const auto port = json.at("hosts").at(5).at("ports").at(1);
  EXPECT_EQ(port.at("address"), "10.101.2.2/24");
  const auto link = json.at("links").at(port.at("link").get<std::size_t>());
  EXPECT_EQ(link.at("a"), (nlohmann::json{{"host", 5}, {"port", 1}}));
  EXPECT_EQ(link.at("b"), (nlohmann::json{{"switch", 5}, {"port", 1}}));
}

TEST(ExportJson, LeavesOutAddressesThatDoNotExist) {
  const auto star = make_topology("single-switch(300)");
  const auto json = nlohmann::json::parse(export_json(*star));
  EXPECT_FALSE(json.at("hosts").at(0).at("ports").at(0).contains("address"));
}

TEST(ExportDot, DrawsEveryNodeAndEveryCableOnce) {
  const std::string dot = export_dot(*make_topology("fat-tree(4)"));
  const auto lines = lines_of(dot);
  const auto count = [&](const std::string& what) {
    return std::ranges::count_if(
        lines, [&](const std::string& line) { return line.find(what) != std::string::npos; });
  };
  EXPECT_EQ(lines.front(), "graph \"fat-tree(4)\" {");
  EXPECT_EQ(lines.back(), "}");
  EXPECT_EQ(count("[label="), 16 + 20);
  EXPECT_EQ(count(" -- ") - count("invis"), 48);
  EXPECT_EQ(count("rank=same"), 4) << "hosts and three layers";
  EXPECT_EQ(count("shape=box"), 1);
  EXPECT_THAT(dot, HasSubstr("  s16 -- s8;\n")) << "core 0 and pod 0 aggregation 0";
  EXPECT_THAT(dot, HasSubstr("  s16 -- s8 -- s0 -- h0 [style=invis];\n"));
  EXPECT_LT(dot.find("core 0"), dot.find("aggregation 0")) << "the core is on top";
}

// Labels of hosts hold commas and are quoted; nothing else is.
TEST(ExportCabling, IsOneRowPerCable) {
  const auto lines = lines_of(export_cabling(*make_topology("bcube(2,2)")));
  EXPECT_THAT(lines, ElementsAre("cable,level,a,a_port,a_address,b,b_port",
                                 "0,level 0,\"host 0 (0,0)\",0,10.100.0.1/24,level 0 switch 0,0",
                                 "1,level 1,\"host 0 (0,0)\",1,10.101.0.1/24,level 1 switch 0,0",
                                 "2,level 0,\"host 1 (0,1)\",0,10.100.0.2/24,level 0 switch 0,1",
                                 "3,level 1,\"host 1 (0,1)\",1,10.101.1.1/24,level 1 switch 1,0",
                                 "4,level 0,\"host 2 (1,0)\",0,10.100.1.1/24,level 0 switch 1,0",
                                 "5,level 1,\"host 2 (1,0)\",1,10.101.0.2/24,level 1 switch 0,1",
                                 "6,level 0,\"host 3 (1,1)\",0,10.100.1.2/24,level 0 switch 1,1",
                                 "7,level 1,\"host 3 (1,1)\",1,10.101.1.2/24,level 1 switch 1,1"));
}

TEST(ExportCabling, NamesTheLayerThatACableClimbsTo) {
  const auto lines = lines_of(export_cabling(*make_topology("fat-tree(2)")));
  EXPECT_THAT(lines, ElementsAre("cable,level,a,a_port,a_address,b,b_port",
                                 "0,edge,host 0 (pod 0 edge 0 host 0),0,10.0.0.2/32,pod 0 edge 0,0",
                                 "1,edge,host 1 (pod 1 edge 0 host 0),0,10.1.0.2/32,pod 1 edge 0,0",
                                 "2,aggregation,pod 0 edge 0,1,,pod 0 aggregation 0,0",
                                 "3,aggregation,pod 1 edge 0,1,,pod 1 aggregation 0,0",
                                 "4,core,pod 0 aggregation 0,1,,core 0,0",
                                 "5,core,pod 1 aggregation 0,1,,core 0,1"));
}

TEST(ExportCabling, HasSpeedsWhereTheyDiffer) {
  const auto lines = lines_of(export_cabling(*make_topology("leaf-spine(2,1,1,speed=2.5)")));
  EXPECT_THAT(lines,
              ElementsAre("cable,level,a,a_port,a_address,b,b_port,speed",
                          "0,leaf,host 0 (leaf 0 host 0),0,,leaf 0,0,1",
                          "1,leaf,host 1 (leaf 1 host 0),0,,leaf 1,0,1",
                          "2,spine,leaf 0,1,,spine 0,0,2.5", "3,spine,leaf 1,1,,spine 0,1,2.5"));
}

TEST(ExportCabling, NamesCablesBetweenHosts) {
  const auto lines = lines_of(export_cabling(*make_topology("torus(3,2)")));
  ASSERT_EQ(lines.size(), 1 + 12u);
  EXPECT_EQ(lines[1], "0,direct,\"host 0 (0,0)\",0,,\"host 1 (0,1)\",1");
  EXPECT_EQ(lines[6], "5,direct,\"host 2 (0,2)\",2,,\"host 5 (1,2)\",3");
}

TEST(ExportJson, HasSpeedsThatAreNotOne) {
  const auto json =
      nlohmann::json::parse(export_json(*make_topology("leaf-spine(2,3,2,speed=2.5)")));
  EXPECT_FALSE(json.at("links").at(5).contains("speed"));
  EXPECT_EQ(json.at("links").at(6).at("speed"), 2.5);
  EXPECT_EQ(json.at("switches").at(1).at("ports"), 5);
  EXPECT_EQ(json.at("switches").at(2).at("ports"), 2);
}

TEST(ExportDot, DrawsAWiringWithoutSwitches) {
  const std::string dot = export_dot(*make_topology("torus(3,2)"));
  EXPECT_THAT(dot, Not(HasSubstr("invis")));
  EXPECT_THAT(dot, HasSubstr("  h1 -- h0;\n"));
}

}  // namespace
}  // namespace gradwire::topologies
