#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/single_switch.h"

namespace gradwire::topologies {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& name) {
  try {
    return "accepted as " + make_topology(name)->name();
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(MakeTopology, BuildsEveryKind) {
  const auto cube = make_topology("bcube(4,2)");
  EXPECT_NE(dynamic_cast<const BCube*>(cube.get()), nullptr);
  EXPECT_EQ(cube->hosts(), 16u);
  EXPECT_NE(dynamic_cast<const FatTree*>(make_topology("fat-tree(4)").get()), nullptr);
  EXPECT_NE(dynamic_cast<const SingleSwitch*>(make_topology("single-switch(4)").get()), nullptr);
}

TEST(MakeTopology, AllowsSpacesBetweenThePartsAndNamesCanonically) {
  EXPECT_EQ(make_topology("  bcube ( 3 ,  2 )  ")->name(), "bcube(3,2)");
  EXPECT_EQ(make_topology("single-switch( 007 )")->name(), "single-switch(7)");
}

TEST(MakeTopology, ListsTheKnownKinds) {
  for (const char* name : {"torus(3,2)", "", "BCube(3,2)", "(3,2)", " fat tree(4)"}) {
    EXPECT_THAT(refusal(name), AllOf(HasSubstr("unknown wiring"), HasSubstr("bcube(n,k)"),
                                     HasSubstr("fat-tree(p)"), HasSubstr("single-switch(n)")));
  }
}

TEST(MakeTopology, SaysWhatIsWrongWithTheParentheses) {
  EXPECT_THAT(refusal("bcube"), AllOf(HasSubstr("parentheses"), HasSubstr("bcube(n,k)")));
  EXPECT_THAT(refusal("bcube(3,2"), HasSubstr("closing parenthesis is missing"));
  EXPECT_THAT(refusal("bcube(3,2)x"), HasSubstr("after the closing parenthesis"));
  EXPECT_THAT(refusal("bcube(3,2))"), HasSubstr("after the closing parenthesis"));
  EXPECT_THAT(refusal("fat-tree()"), HasSubstr("parameters are missing"));
}

TEST(MakeTopology, CountsTheParameters) {
  EXPECT_THAT(refusal("bcube(3)"), HasSubstr("number of parameters"));
  EXPECT_THAT(refusal("bcube(3,2,1)"), HasSubstr("number of parameters"));
  EXPECT_THAT(refusal("fat-tree(4,4)"), HasSubstr("number of parameters"));
}

TEST(MakeTopology, TakesPositiveWholeNumbersOnly) {
  for (const char* bad : {"0", "-3", "+3", "3.0", "3x", "0x10", "1e3", "1 6", "n", "", "\x01"}) {
    const std::string name = std::string("bcube(") + bad + ",2)";
    EXPECT_THAT(refusal(name), HasSubstr("positive whole numbers")) << name;
  }
  EXPECT_THAT(refusal("bcube(18446744073709551616,2)"), HasSubstr("too large"));
  EXPECT_THAT(refusal("single-switch(99999999999999999999999999)"), HasSubstr("too large"));
}

TEST(MakeTopology, ChecksTheRangeOfEachKind) {
  EXPECT_THAT(refusal("bcube(1,2)"), HasSubstr("n must be at least 2"));
  EXPECT_THAT(refusal("single-switch(1)"), HasSubstr("n must be at least 2"));
  EXPECT_THAT(refusal("fat-tree(5)"), HasSubstr("p must be even"));
  EXPECT_THAT(refusal("fat-tree(1)"), HasSubstr("p must be even"));
}

// n^k is computed in checked arithmetic: 10^54 is not taken for what remains of it in 64 bits, and
// 2^64 not for 0.
TEST(MakeTopology, RefusesTooManyHostsWithoutBuildingThem) {
  for (const char* name :
       {"bcube(1000000,9)", "bcube(2,64)", "bcube(2,18446744073709551615)", "bcube(1001,2)",
        "bcube(18446744073709551615,18446744073709551615)", "fat-tree(160)",
        "fat-tree(18446744073709551614)", "fat-tree(4294967296)", "single-switch(1000001)"}) {
    EXPECT_THAT(refusal(name),
                AllOf(HasSubstr("number of hosts"), HasSubstr("too large"), HasSubstr("1000000")))
        << name;
  }
}

TEST(MakeTopology, ShowsHostileNamesOnOneShortLine) {
  const std::string message = refusal(std::string(100'000, '\n') + "(");
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_LT(refusal("bcube(" + std::string(1'000'000, ',') + ")").size(), 300u);
}

}  // namespace
}  // namespace gradwire::topologies
