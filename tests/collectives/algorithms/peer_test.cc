#include "collectives/algorithms/peer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/run/prepare.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::named;
using ::testing::StartsWith;

/// Line 7 is the algorithm.
std::string experiment(const std::string& algorithm, const std::string& keys = "",
                       const std::string& link = "rate: 10Gbit") {
  return "gradwire: 1\nname: t\nlink: {" + link + "}\nelements: 900\nwiring: single-switch(9)\n" +
         "warmup: 0\nalgorithm: " + algorithm + "\n" + keys;
}

std::string refusal(const std::string& text, record::Backing backing = record::Backing::emulated) {
  try {
    const experiment::Experiment loaded = experiment::load_experiment_text(text, "x.yaml");
    experiment::check_backings(loaded);
    static_cast<void>(run::prepare(loaded, backing));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PeerAlgorithms, EveryNameIsAPointWithoutPlans) {
  for (const std::string& name : peer_names()) {
    const experiment::Experiment loaded =
        experiment::load_experiment_text(experiment(name), "x.yaml");
    const std::vector<run::PreparedPoint> points = run::prepare(loaded, record::Backing::emulated);
    ASSERT_EQ(points.size(), 1u);
    const Algorithm& algorithm = points[0].task.algorithm;
    EXPECT_EQ(algorithm.name(), name);
    EXPECT_FALSE(algorithm.has_plans()) << name;
    EXPECT_TRUE(points[0].plans.empty());
    // Of 3600 B at 10 Gbit/s, MTU 9000: 16/9 of an all-reduce, 8/9, or all of a broadcast or reduce.
    const std::string& collective = points[0].configuration.collective;
    EXPECT_EQ(collective, algorithm.collective()) << name;
    const bool is_rooted = collective == "broadcast" || collective == "reduce";
    const double bytes = collective == "all-reduce" ? 6400 : is_rooted ? 3600 : 3200;
    ASSERT_TRUE(points[0].bound.has_value());
    EXPECT_NEAR(points[0].bound->count(), bytes / (1.25e9 * 8948 / 9014), 1e-12) << name;
    EXPECT_DOUBLE_EQ(run::busiest_port_bytes(points[0]), bytes) << name;
  }
  EXPECT_FALSE(is_peer(text::parse_spec("ring")));
  const auto topology = topologies::make_topology("single-switch(9)");
  EXPECT_EQ(named("ring", *topology).peer(), nullptr);
  EXPECT_TRUE(named("mpi(ring)", *topology).peer()->needs_mpi());
  EXPECT_FALSE(named("gloo(ring)", *topology).peer()->needs_mpi());
}

// By peers::goal_of gradients are copied from and to devices; rows and bounds go by
// Algorithm::goal.
TEST(PeerAlgorithms, AchieveWhatOursOfTheirNameDo) {
  const auto topology = topologies::make_topology("single-switch(5)");
  for (const std::string& name : peer_names()) {
    const Algorithm algorithm = named(name, *topology);
    const Goal ours = algorithm.goal({.elements = 23});
    const Goal theirs = peers::goal_of(algorithm.peer()->what(), 5, ours.elements);
    EXPECT_EQ(theirs.begins, ours.begins) << name;
    EXPECT_EQ(theirs.ends, ours.ends) << name;
  }
}

TEST(PeerAlgorithms, RefuseWhatTheLibraryHasNot) {
  EXPECT_THAT(
      refusal(experiment("gloo")),
      AllOf(StartsWith("x.yaml:7:12: "), HasSubstr("gloo has: ring, halving-doubling, bcube")));
  EXPECT_THAT(refusal(experiment("gloo(tree)")), HasSubstr("unknown algorithm 'gloo(tree)'"));
  EXPECT_THAT(refusal(experiment("gloo(ring, bcube)")), HasSubstr("gloo takes one of: ring"));
  EXPECT_THAT(refusal(experiment("gloo(ring=2)")), HasSubstr("gloo takes one of: ring"));
  EXPECT_THAT(refusal(experiment("mpi(tree)")),
              AllOf(StartsWith("x.yaml:7:12: "), HasSubstr("rabenseifner")));
  EXPECT_THAT(refusal(experiment("tree")),
              HasSubstr("libraries: gloo(ring), gloo(halving-doubling), gloo(bcube), gloo("));
}

TEST(PeerAlgorithms, RefuseWhatCannotBeDoneToALibrary) {
  EXPECT_THAT(refusal(experiment("gloo(ring)", "backing: simulated\n"), record::Backing::simulated),
              AllOf(StartsWith("x.yaml:7:12: "), HasSubstr("cannot be simulated")));
  EXPECT_THAT(refusal(experiment("mpi", "", "rate: 10Gbit, startup: 1ms")),
              AllOf(StartsWith("x.yaml:7:12: "), HasSubstr("link.startup")));
  EXPECT_THAT(refusal(experiment("mpi", "transport: verbs\n")),
              AllOf(StartsWith("x.yaml:7:12: "), HasSubstr("transport: tcp")));
}

TEST(PeerAlgorithms, HaveNoPlanToShow) {
  const auto topology = topologies::make_topology("single-switch(4)");
  try {
    static_cast<void>(named("gloo(bcube)", *topology).plan(Rank(0), {.elements = 8}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gloo(bcube) is a library: its schedule is its own"));
  }
}

// A library's algorithm of choice is one of its processes for their life.
TEST(PeerAlgorithms, MpiIsStartedForOneAlgorithm) {
  const auto topology = topologies::make_topology("single-switch(4)");
  EXPECT_THAT(named("mpi(recursive-doubling)", *topology).peer()->mpirun_arguments(),
              ::testing::ElementsAre("--mca", "coll_tuned_use_dynamic_rules", "1", "--mca",
                                     "coll_tuned_allreduce_algorithm", "3"));
}

// Their counts are ints, of bytes.
TEST(PeerAlgorithms, RefuseMoreThanTheLibraryCounts) {
  const auto topology = topologies::make_topology("single-switch(4)");
  for (const char* name : {"gloo(ring)", "mpi"}) {
    const Algorithm algorithm = named(name, *topology);
    EXPECT_NO_THROW(algorithm.peer()->check(536'870'911)) << name;
    EXPECT_THROW(algorithm.peer()->check(536'870'912), InputError) << name;
  }
}

TEST(UnlimitedLinks, HaveNoBoundAndNoDilation) {
  const experiment::Experiment loaded =
      experiment::load_experiment_text(experiment("ring", "", "rate: unlimited"), "x");
  EXPECT_FALSE(loaded.rate.is_limited());
  EXPECT_NO_THROW(experiment::check_backings(loaded));
  EXPECT_FALSE(run::prepare(loaded, record::Backing::emulated).front().bound.has_value());
  EXPECT_THAT(refusal(experiment("ring", "dilation: 4\n", "rate: unlimited")),
              AllOf(StartsWith("x.yaml:3:"), HasSubstr("no rate to dilate")));
  EXPECT_THAT(refusal(experiment("ring", "backing: simulated\n", "rate: unlimited"),
                      record::Backing::simulated),
              AllOf(StartsWith("x.yaml:3:"), HasSubstr("virtual time goes by the rate")));
}

}  // namespace
}  // namespace gradwire::algorithms
