#include "collectives/algorithms/pair_counts.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/from_file.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "simulator/fabric.h"
#include "simulator/simulation.h"
#include "tests/collectives/algorithms/counts.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/cut.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using testing::CountsFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::named;

constexpr double kRounding = 1e-9;

TEST(PairCounts, AreWeightsThatTheSizeScales) {
  const PairCounts counts("# experts\n 0, 3,1\n\n2,0,2 # remark\n1,1,4", "a.csv");
  EXPECT_EQ(counts.ranks(), 3u);
  EXPECT_THAT(counts.scaled(6), ElementsAre(0, 3, 1, 2, 0, 2, 1, 1, 4)) << "what the file says";
  EXPECT_THAT(counts.scaled(600), ElementsAre(0, 300, 100, 200, 0, 200, 100, 100, 400));
  // Of 7 elements the first rank has floor(4/6 7) = 4: up to 3.5 for the second, the rest for the third.
  EXPECT_THAT(counts.scaled(7), ElementsAre(0, 3, 1, 2, 0, 2, 1, 1, 5));
}

TEST(PairCounts, ScaleWithoutOverflow) {
  const PairCounts counts("1,3999999999\n4000000000,0\n", "a.csv");
  EXPECT_THAT(counts.scaled(100'000'000'000), ElementsAre(25, 99'999'999'975, 100'000'000'000, 0));
}

// Ranks 0 and 1 send 4 of 6 to others; in the second file rank 2 gets 10, where others send 6.
TEST(PairCounts, TheBusFactorIsThatOfTheBusiestNic) {
  EXPECT_NEAR(PairCounts("0,3,1\n2,0,2\n1,1,4", "a").bus_factor(), 4.0 / 6, kRounding);
  EXPECT_NEAR(PairCounts("0,1,5\n1,0,5\n1,1,0", "a").bus_factor(), 10.0 / 6, kRounding);
  EXPECT_NEAR(PairCounts("1,1,1\n1,1,1\n1,1,1", "a").bus_factor(), 2.0 / 3, kRounding);
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(PairCounts(text, "a.csv"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PairCounts, RefuseWhatIsWrongWithItsPlace) {
  EXPECT_EQ(refusal("0,1\n1, x\n"), "a.csv:2:4: 'x' is not a whole number from 0");
  EXPECT_THAT(refusal("0,-1\n1,0\n"), HasSubstr("a.csv:1:3: '-1' is not"));
  EXPECT_THAT(refusal("0,1,\n"), HasSubstr("a.csv:1:5: '' is not"));
  EXPECT_THAT(refusal("0,1\n1\n"), HasSubstr("a.csv:2:1: 1 numbers, where the first line has 2"));
  EXPECT_THAT(refusal("0,1\n1,0,2\n"), HasSubstr("a.csv:2:5: more than 2 numbers"));
  EXPECT_THAT(refusal("0,1\n1,0\n1,0\n"), HasSubstr("a.csv:3:1: a line too many"));
  EXPECT_THAT(refusal("0,1\n"), HasSubstr("1 lines of 2 numbers"));
  EXPECT_THAT(refusal(""), HasSubstr("0 lines of 0 numbers"));
  EXPECT_THAT(refusal("1\n"), HasSubstr("a line for each of two ranks or more"));
  EXPECT_THAT(refusal("0,0\n0,0\n"), HasSubstr("nobody sends anything"));
  EXPECT_THAT(refusal("0,4000000001\n"), HasSubstr("add up to more than 4000000000"));
  EXPECT_THAT(refusal("4000000000,1\n"), HasSubstr("add up to more than 4000000000"));
  EXPECT_THAT(refusal(fmt::format("{}\n", fmt::join(std::vector(257, 1), ","))),
              HasSubstr("more than 256 numbers"));
}

/// All ranks' Plans, proven, and never faster than the cut.
std::vector<Plan> proven(const std::string& name, const topologies::Topology& topology,
                         std::size_t elements) {
  const Algorithm algorithm = named(name, topology);
  auto plans = algorithm.proven_plans({.elements = elements});
  const Goal goal = algorithm.goal({.elements = elements});
  EXPECT_GE(topologies::least_time(topology, plans) * (1 + kRounding),
            topologies::cut_bound(topology, goal).t_f)
      << name;
  return plans;
}

TEST(AllToAllWithCounts, IsProvenByEveryWay) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const char* text :
       {"0,3,1,10\n2,0,0,2\n1,1,4,0\n0,0,0,0\n", "0,0,0,1\n0,0,0,0\n0,0,0,0\n0,0,0,0\n",
        "7,1,1,1\n1,7,1,1\n1,1,7,1\n1,1,1,7\n"}) {
    const CountsFile file(text);
    for (const char* way : {"pairwise", "direct", "bcube"}) {
      for (const std::size_t elements : {1u, 14u, 997u}) {
        static_cast<void>(proven(file.name(way), *topology, elements));
      }
    }
  }
}

// With counts that are all equal it is the all-to-all that names none.
TEST(AllToAllWithCounts, OfOneSizeIsTheOneWithout) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  const CountsFile file("1,1,1,1\n1,1,1,1\n1,1,1,1\n1,1,1,1\n");
  for (const char* way : {"pairwise", "direct", "bcube"}) {
    const Algorithm without = named(fmt::format("all-to-all({})", way), *topology);
    EXPECT_EQ(proven(file.name(way), *topology, 80), without.proven_plans({.elements = 80}));
  }
}

/// Seconds that links of an element a second take.
double time_of(const std::string& name, std::size_t ranks, std::size_t elements, double alpha) {
  const auto topology = topologies::make_topology(fmt::format("single-switch({})", ranks));
  const simulator::NetworkModel model{.rate = sizeof(float), .alpha = alpha};
  return simulator::simulate(simulator::WholeFabric(*topology), proven(name, *topology, elements),
                             model)
      .end_of(0);
}

// The slowest port decides. Everybody sends 8 to rank 0 and 1 to each other one, and rank 0 gets all of
// it at once: T = alpha + (N-1) 8, with N = 5.
TEST(AllToAllWithCounts, TakesTheTimeOfTheSlowestPort) {
  const CountsFile file("0,1,1,1,1\n8,0,1,1,1\n8,1,0,1,1\n8,1,1,0,1\n8,1,1,1,0\n");
  EXPECT_NEAR(time_of(file.name("direct"), 5, 11 * 60, 2), 2 + 4 * 8 * 60, kRounding * 2000);
}

// Pairwise, where all send as much to the rank so many places on, c(s): T = sum over s of alpha + c(s).
TEST(AllToAllWithCounts, PairwiseTakesTheSumOfItsSteps) {
  const CountsFile file("5,1,2,3\n3,5,1,2\n2,3,5,1\n1,2,3,5\n");
  EXPECT_NEAR(time_of(file.name("pairwise"), 4, 11 * 60, 2), 3 * 2 + (1 + 2 + 3) * 60,
              kRounding * 400);
}

TEST(AllToAllWithCounts, FindTheirFileAndTellItFromOthers) {
  const text::Spec spec = text::parse_spec("all-to-all(counts=a.csv)");
  EXPECT_TRUE(names_file(spec));
  EXPECT_FALSE(names_file(text::parse_spec("all-to-all")));
  EXPECT_EQ(to_string(in_folder_of(spec, "x/e.yaml")), "all-to-all(counts=x/a.csv)");
  EXPECT_EQ(to_string(in_folder_of(spec, "e.yaml")), "all-to-all(counts=a.csv)");
  EXPECT_EQ(to_string(in_folder_of(text::parse_spec("all-to-all(counts=/a.csv)"), "x/e.yaml")),
            "all-to-all(counts=/a.csv)");
  EXPECT_THROW(static_cast<void>(in_folder_of(spec, "my files/e.yaml")), InputError);
  const CountsFile one("0,1\n1,0\n");
  const CountsFile same("# remark\n0, 1\n1, 0\n");
  const CountsFile other("0,1\n1,1\n");
  const auto topology = topologies::make_topology("single-switch(2)");
  const auto digest = [&](const CountsFile& file) {
    return named(file.name("direct"), *topology).file_digest();
  };
  EXPECT_EQ(digest(one), digest(same));
  EXPECT_NE(digest(one), digest(other));
}

std::string refused(const std::string& name) {
  const auto topology = topologies::make_topology("single-switch(3)");
  try {
    static_cast<void>(named(name, *topology));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AllToAllWithCounts, IsRefusedWhereItDoesNotFit) {
  const CountsFile two("0,1\n1,0\n");
  EXPECT_THAT(refused(two.name("direct")),
              HasSubstr("counts of 2 ranks, and single-switch(3) has 3"));
  EXPECT_THAT(refused("all-to-all(counts=no-such-file.csv)"), HasSubstr("no-such-file.csv"));
  EXPECT_THAT(refused("all-gather(counts=a.csv)"), HasSubstr("unknown option 'counts'"));
  EXPECT_THAT(refused("mpi(all-to-all, counts=a.csv)"), HasSubstr("no counts"));
  EXPECT_THAT(refused("gloo(all-to-all, counts=a.csv)"), HasSubstr("no counts"));
  EXPECT_THAT(refused("groups(ranks=0-1, run=all-to-all(counts=a.csv))"),
              HasSubstr("counts are of all ranks"));
  const auto topology = topologies::make_topology("single-switch(2)");
  EXPECT_THROW(static_cast<void>(named(two.name("direct"), *topology).plan_text(4)), InputError);
}

}  // namespace
}  // namespace gradwire::algorithms
