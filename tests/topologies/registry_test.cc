#include "topologies/registry.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/address_plan.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/single_switch.h"

namespace gradwire::topologies {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal_of_name(const std::string& name) {
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
  for (const char* name : {"spaghetti(3,2)", "", "BCube(3,2)", "(3,2)", " fat tree(4)"}) {
    EXPECT_THAT(refusal_of_name(name),
                AllOf(HasSubstr("unknown wiring"), HasSubstr("bcube(n,k)"),
                      HasSubstr("fat-tree(p)"), HasSubstr("single-switch(n)")));
  }
  EXPECT_THAT(refusal_of_name("flat-tree(4)"), HasSubstr("(did you mean 'fat-tree'?)"));
}

TEST(MakeTopology, SaysWhatIsWrongWithTheParentheses) {
  EXPECT_THAT(refusal_of_name("bcube"), AllOf(HasSubstr("parentheses"), HasSubstr("bcube(n,k)")));
  EXPECT_THAT(refusal_of_name("bcube(3,2"), HasSubstr("closing parenthesis is missing"));
  EXPECT_THAT(refusal_of_name("bcube(3,2)x"), HasSubstr("after the closing parenthesis"));
  EXPECT_THAT(refusal_of_name("bcube(3,2))"), HasSubstr("after the closing parenthesis"));
  EXPECT_THAT(refusal_of_name("fat-tree()"), HasSubstr("parameters are missing"));
}

TEST(MakeTopology, CountsTheParameters) {
  EXPECT_THAT(refusal_of_name("bcube(3)"), HasSubstr("number of parameters"));
  EXPECT_THAT(refusal_of_name("bcube(3,2,1)"), HasSubstr("number of parameters"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,4)"), HasSubstr("number of parameters"));
}

TEST(MakeTopology, TakesPositiveWholeNumbersOnly) {
  for (const char* bad : {"0", "-3", "+3", "3.0", "3x", "0x10", "1e3", "1 6", "n", "", "\x01"}) {
    const std::string name = std::string("bcube(") + bad + ",2)";
    EXPECT_THAT(refusal_of_name(name), HasSubstr("is not a whole number above 0; write bcube(n,k)"))
        << name;
  }
  EXPECT_THAT(refusal_of_name("bcube(18446744073709551616,2)"), HasSubstr("too large"));
  EXPECT_THAT(refusal_of_name("single-switch(99999999999999999999999999)"), HasSubstr("too large"));
}

TEST(MakeTopology, ChecksTheRangeOfEachKind) {
  EXPECT_THAT(refusal_of_name("bcube(1,2)"), HasSubstr("n must be at least 2"));
  EXPECT_THAT(refusal_of_name("single-switch(1)"), HasSubstr("n must be at least 2"));
  EXPECT_THAT(refusal_of_name("fat-tree(5)"), HasSubstr("p must be even"));
  EXPECT_THAT(refusal_of_name("fat-tree(1)"), HasSubstr("p must be even"));
}

// n^k is computed in checked arithmetic: 10^54 is not taken for what remains of it in 64 bits, and
// 2^64 not for 0.
TEST(MakeTopology, RefusesTooManyHostsWithoutBuildingThem) {
  for (const char* name :
       {"bcube(1000000,9)", "bcube(2,64)", "bcube(2,18446744073709551615)", "bcube(1001,2)",
        "bcube(18446744073709551615,18446744073709551615)", "fat-tree(160)",
        "fat-tree(18446744073709551614)", "fat-tree(4294967296)", "single-switch(1000001)"}) {
    EXPECT_THAT(refusal_of_name(name),
                AllOf(HasSubstr("number of hosts"), HasSubstr("too large"), HasSubstr("1000000")))
        << name;
  }
}

TEST(MakeTopology, NamesOptionsInOneOrderAndLeavesDefaultsOut) {
  const auto name = [](const char* given) { return make_topology(given)->name(); };
  EXPECT_EQ(name("fat-tree( 4 , seed = 3 , ecmp , nics=2 )"), "fat-tree(4,nics=2,ecmp,seed=3)");
  EXPECT_EQ(name("fat-tree(4,nics=1,ecmp,seed=1)"), "fat-tree(4,ecmp)");
  EXPECT_EQ(name("fat-tree(4,nics=1)"), "fat-tree(4)");
  EXPECT_EQ(name("leaf-spine(2,3,4,ecmp,speed=2.50)"), "leaf-spine(2,3,4,speed=2.5,ecmp)");
  EXPECT_EQ(name("leaf-spine(2,3,4,speed=1.0)"), "leaf-spine(2,3,4)");
  EXPECT_EQ(name("leaf-spine(2,3,4,speed=0.001)"), "leaf-spine(2,3,4,speed=0.001)");
  EXPECT_EQ(name("rail-optimized(2,2,2,2,speed=4)"), "rail-optimised(2,2,2,2,speed=4)");
  EXPECT_EQ(name("torus(4,3)"), "torus(4,3)");
  EXPECT_EQ(name("torus(4,3,2)"), "torus(4,3,2)");
}

TEST(MakeTopology, NamesTheOptionsThatThereAre) {
  EXPECT_THAT(refusal_of_name("fat-tree(4,planes=2)"),
              AllOf(HasSubstr("unknown option 'planes'"),
                    HasSubstr("fat-tree(p) takes: nics=..., ecmp, seed=...")));
  EXPECT_THAT(refusal_of_name("fat-tree(4,nic=2)"), HasSubstr("did you mean 'nics'?"));
  EXPECT_THAT(refusal_of_name("leaf-spine(2,2,2,nics=2)"),
              HasSubstr("takes: speed=..., ecmp, seed=..."));
  EXPECT_THAT(refusal_of_name("bcube(3,2,ecmp)"), HasSubstr("bcube(n,k) takes no options"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,)"), HasSubstr("number of parameters"));
}

TEST(MakeTopology, RefusesBadOptions) {
  EXPECT_THAT(refusal_of_name("fat-tree(4,nics=2,nics=3)"), HasSubstr("nics is given twice"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,ecmp,ecmp)"), HasSubstr("ecmp is given twice"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,ecmp=1)"),
              HasSubstr("ecmp stands alone, without a value"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,nics)"), HasSubstr("nics needs a value"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,seed=2)"), HasSubstr("write ecmp, seed=..."));
  EXPECT_THAT(refusal_of_name("fat-tree(nics=2,4)"), HasSubstr("number of parameters"));
  EXPECT_THAT(refusal_of_name("fat-tree(4,ecmp,8)"), HasSubstr("unknown option '8'"));
  for (const char* bad : {"0", "-1", "2.5", "x"}) {
    EXPECT_THAT(refusal_of_name(std::string("fat-tree(4,nics=") + bad + ")"),
                HasSubstr("is not a whole number above 0"));
  }
  EXPECT_THAT(refusal_of_name("fat-tree(4,nics=)"), HasSubstr("'' is not a value for nics"));
  for (const char* bad : {"0", "-1", "nan", "inf", "1e3", "0.0001", "10001", "2x"}) {
    EXPECT_THAT(refusal_of_name(std::string("leaf-spine(2,2,2,speed=") + bad + ")"),
                HasSubstr("from 0.001 to 10000"))
        << bad;
  }
}

TEST(MakeTopology, ChecksTheSizesOfWiringsWithManyNumbers) {
  for (const char* name :
       {"leaf-spine(1001,1000,1)", "torus(1001,1000)", "torus(4294967296,4294967296)",
        "rail-optimised(1001,1000,1,1)", "rail-only(1000001,1)"}) {
    EXPECT_THAT(refusal_of_name(name), AllOf(HasSubstr("number of hosts"), HasSubstr("1000000")))
        << name;
  }
  for (const char* name : {"leaf-spine(1000,1000,16001)", "rail-only(2,18446744073709551615)",
                           "rail-optimised(1000,1000,17,1)", "rail-optimised(2,1,1,8000001)",
                           "fat-tree(4,nics=18446744073709551615)", "fat-tree(128,nics=11)"}) {
    EXPECT_THAT(refusal_of_name(name), AllOf(HasSubstr("too large"), HasSubstr("16000000")))
        << name;
  }
  // Too many hosts, and too many uplinks: which it says is the compiler's choice.
  EXPECT_THAT(refusal_of_name("leaf-spine(18446744073709551615,2,1)"), HasSubstr("too large"));
  EXPECT_THAT(refusal_of_name("torus(1,4)"), HasSubstr("every side must be at least 2"));
  EXPECT_THAT(refusal_of_name("leaf-spine(1,1,1)"), HasSubstr("two hosts at least"));
  EXPECT_THAT(refusal_of_name("rail-only(1,4)"), HasSubstr("n must be at least 2"));
}

TEST(MakeTopology, ShowsHostileNamesOnOneShortLine) {
  const std::string message = refusal_of_name(std::string(100'000, '\n') + "(");
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_LT(refusal_of_name("bcube(" + std::string(1'000'000, ',') + ")").size(), 300u);
}

/// The kind's example; a graph's file is named from the tree's root.
std::string buildable(const WiringKind& kind) {
  if (!kind.is_file) return std::string(kind.example);
  const std::size_t open = kind.example.find('(') + 1;
  return std::string(kind.example.substr(0, open)) + GRADWIRE_ROOT "/" +
         std::string(kind.example.substr(open));
}

// Help says of a kind what its wirings say: the name, and whether they have addresses.
TEST(WiringKinds, SayWhatTheirExamplesAre) {
  std::set<std::string_view> names;
  for (const WiringKind& kind : wiring_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    const auto example = make_topology(buildable(kind));
    EXPECT_EQ(example->name(), buildable(kind));
    EXPECT_EQ(example->name().substr(0, kind.name.size() + 1), std::string(kind.name) + "(");
    EXPECT_EQ(example->addressing() != Addressing::none, kind.is_emulated) << kind.name;
    EXPECT_FALSE(kind.about.empty()) << kind.name;
    EXPECT_EQ(names_a_file(" " + buildable(kind)), kind.is_file) << kind.name;
    EXPECT_THAT(refusal_of_name("spaghetti(3)"), HasSubstr(form_of(kind)));
  }
}

// Every option of every kind is taken, and says what it does.
TEST(WiringKinds, TakeTheirOptions) {
  for (const WiringKind& kind : wiring_kinds()) {
    for (const text::OptionForm& option : kind.options) {
      EXPECT_FALSE(option.about.empty()) << kind.name << " " << option.key;
      std::string name(kind.example.substr(0, kind.example.size() - 1));
      if (option.key == "seed") name += ",ecmp";
      name += "," + std::string(option.key);
      if (option.value != text::OptionForm::Value::none) name += "=2";
      EXPECT_THAT(make_topology(name + ")")->name(), HasSubstr(option.key));
    }
  }
}

// A wiring's name leaves out what has its default: so an option with its default is not in it.
TEST(WiringKinds, TakeTheDefaultsThatTheySay) {
  for (const WiringKind& kind : wiring_kinds()) {
    for (const text::OptionForm& option : kind.options) {
      if (option.otherwise.empty()) continue;
      const std::string begin(kind.example.substr(0, kind.example.size() - 1));
      const std::string end = fmt::format("{}={})", option.key, option.otherwise);
      if (option.key == "seed") {
        EXPECT_EQ(make_topology(begin + ",ecmp," + end)->name(), begin + ",ecmp)");
      } else {
        EXPECT_EQ(make_topology(begin + "," + end)->name(), kind.example);
      }
    }
  }
}

TEST(WiringKinds, FormsAreHowNamesAreWritten) {
  const auto torus = std::ranges::find(wiring_kinds(), "torus", &WiringKind::name);
  EXPECT_EQ(form_of(*torus), "torus(a,b[,c])");
}

// The brackets of torus(a,b[,c]): two or three numbers.
TEST(WiringKinds, BracketsMayBeLeftOut) {
  EXPECT_EQ(make_topology("torus(2,3)")->hosts(), 6u);
  EXPECT_EQ(make_topology("torus(2,3,2)")->hosts(), 12u);
  for (const char* name : {"torus(2)", "torus(2,3,2,2)"}) {
    EXPECT_THAT(refusal_of_name(name),
                AllOf(HasSubstr("number of parameters"), HasSubstr("write torus(a,b[,c])")));
  }
}

}  // namespace
}  // namespace gradwire::topologies
