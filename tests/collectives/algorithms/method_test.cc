// Algorithms of every kind as values: they answer as the functions of their row do, and one answer
// goes with the other.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collectives/algorithms/all_reduces.h"
#include "collectives/algorithms/collectives.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/groups.h"
#include "collectives/algorithms/peer.h"
#include "collectives/collective.h"
#include "collectives/member.h"
#include "collectives/plan_files/plan_reader.h"
#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using testing::named;
using topologies::make_topology;
using topologies::Topology;

const Amount kAmount{.elements = 193, .tensors = {{0, 100}, {100, 60}, {160, 33}}};
constexpr std::size_t kRanks = 4;

void expect_same(const Goal& goal, const Goal& expected) {
  EXPECT_EQ(goal.elements, expected.elements);
  EXPECT_EQ(goal.begins, expected.begins);
  EXPECT_EQ(goal.ends, expected.ends);
}

/// A plan file of a ring of four, which is there as long as this is.
class RingFile {
 public:
  explicit RingFile(const Topology& topology) {
    std::ofstream(path_) << named("ring", topology).plan_text(8);
  }
  ~RingFile() { std::filesystem::remove(path_); }
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::string name() const { return fmt::format("plan({})", path()); }

 private:
  const std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) /
                                      fmt::format("gradwire_method_test_{}.json", ::getpid());
};

/// A name of each row of each table, and of a file, on bcube(2,2).
std::vector<std::string> names_of_all(const RingFile& file) {
  std::vector<std::string> names{file.name()};
  for (const AlgorithmKind& kind : algorithm_kinds()) names.emplace_back(kind.name);
  for (const CollectiveWay& way : collective_ways()) {
    names.push_back(fmt::format("{}({})", way.collective, way.way));
  }
  for (const GroupsKind& kind : groups_kinds()) names.emplace_back(kind.form);
  return names;
}

TEST(Methods, OfAllReducesAnswerAsTheirRows) {
  const auto topology = make_topology("bcube(2,2)");
  std::vector<std::string> names{"ps(servers=1, dedicated)", "ps(per-tensor)", "ring(pieces=3)",
                                 "halving-doubling(fold)"};
  for (const AlgorithmKind& kind : algorithm_kinds()) names.emplace_back(kind.name);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const text::Spec spec = text::parse_spec(name);
    const AlgorithmKind& kind =
        *std::ranges::find(algorithm_kinds(), spec.name, &AlgorithmKind::name);
    const text::Arguments arguments(kind.name, spec, kind.options);
    const Algorithm algorithm = named(name, *topology);
    expect_same(algorithm.goal(kAmount), kind.goal(arguments, kRanks, kAmount));
    for (std::size_t i = 0; i < kRanks; ++i) {
      EXPECT_EQ(algorithm.plan(Rank(i), kAmount),
                kind.plan(arguments, *topology, Rank(i), kAmount));
    }
    for (const std::size_t elements : {192, 193}) {
      EXPECT_EQ(
          algorithm.ranks_are_alike({.elements = elements, .tensors = {{0, elements}}}),
          kind.alike(arguments, *topology, {.elements = elements, .tensors = {{0, elements}}}));
    }
    EXPECT_TRUE(algorithm.is_all_reduce());
    EXPECT_EQ(algorithm.is_per_tensor(), name == "ps(per-tensor)");
  }
}

// Of all ranks, with what the task has where a name says nothing of it.
TEST(Methods, OfCollectivesAnswerAsTheirRows) {
  const auto topology = make_topology("bcube(2,2)");
  const Group all = collectives::everyone(*topology);
  for (const CollectiveWay& way : collective_ways()) {
    SCOPED_TRACE(fmt::format("{}({})", way.collective, way.way));
    if (way.collective == "send") continue;  // of a group of two
    const CollectiveTask task{
        .topology = *topology, .members = kRanks, .elements = kAmount.elements, .pieces = 8};
    const Algorithm algorithm = named(fmt::format("{}({})", way.collective, way.way), *topology);
    EXPECT_EQ(algorithm.collective(), way.collective);
    expect_same(algorithm.goal(kAmount), way.goal(task));
    for (std::size_t i = 0; i < kRanks; ++i) {
      EXPECT_EQ(algorithm.plan(Rank(i), kAmount),
                way.plan(task, {.topology = *topology, .group = all, .place = i}));
    }
  }
}

TEST(Methods, OfFilesAnswerAsTheirFile) {
  const auto topology = make_topology("bcube(2,2)");
  const RingFile ring(*topology);
  const plan_files::PlanFile file = plan_files::load_plan_file(ring.path());
  const Algorithm algorithm = named(ring.name(), *topology);
  EXPECT_EQ(algorithm.collective(), file.collective);
  expect_same(algorithm.goal(kAmount), plan_files::goal_of(file, *topology, kAmount.elements));
  EXPECT_EQ(algorithm.plans(kAmount), plan_files::plans_of(file, *topology, kAmount.elements));
  EXPECT_NE(algorithm.file_digest(), "");
  const auto three = make_topology("single-switch(3)");
  EXPECT_THROW(static_cast<void>(named(ring.name(), *three).goal(kAmount)), InputError)
      << "it is of four";
}

TEST(Methods, OfAKindAnswerAlike) {
  const auto topology = make_topology("bcube(2,2)");
  const RingFile file(*topology);
  for (const std::string& name : names_of_all(file)) {
    SCOPED_TRACE(name);
    const Algorithm algorithm = named(name, *topology);
    EXPECT_EQ(text::parse_spec(algorithm.name()), text::parse_spec(name));
    EXPECT_EQ(&algorithm.topology(), topology.get());
    const std::vector<Plan> plans = algorithm.proven_plans(kAmount);
    EXPECT_EQ(plans, algorithm.plans(kAmount));
    ASSERT_EQ(plans.size(), kRanks);
    for (std::size_t i = 0; i < kRanks; ++i) {
      EXPECT_EQ(algorithm.plan(Rank(i), kAmount), plans[i]);
      EXPECT_EQ(algorithm.stages(Rank(i), kAmount), std::vector{plans[i]});
    }
    EXPECT_EQ(algorithm.workers(kAmount), contributors(algorithm.goal(kAmount)));
    EXPECT_EQ(algorithm.is_all_reduce(), algorithm.collective() == collectives::kAllReduce);
    EXPECT_EQ(algorithm.for_elements().plans(kAmount), plans);
    EXPECT_EQ(algorithm.file_digest().empty(), name != file.name());
    EXPECT_TRUE(algorithm.has_plans());
  }
}

// A bus factor is said where the collective's name and the number of ranks do not say it.
TEST(Methods, OfGroupsAloneSayTheirBusFactor) {
  const auto topology = make_topology("bcube(2,2)");
  const RingFile file(*topology);
  for (const std::string& name : names_of_all(file)) {
    EXPECT_EQ(named(name, *topology).achieves(kAmount).bus_factor.has_value(),
              is_groups(text::parse_spec(name)))
        << name;
  }
}

// Dense layers change what is moved, and nothing of how.
TEST(Methods, OfDenseLayersAnswerAsWithoutThem) {
  const auto topology = make_topology("bcube(2,2)");
  const RingFile file(*topology);
  constexpr const char* kStack = "dense(inputs=30, outputs=20, samples=6)";
  const workloads::Workload stack = workloads::parse_workload(kStack);
  for (const std::string& name :
       {file.name(), std::string("ring"), std::string("ps(servers=1)"), std::string("bml"),
        std::string("all-gather(bruck)"), std::string("all-reduce(ring)")}) {
    SCOPED_TRACE(name);
    const Algorithm plain = named(name, *topology);
    const Algorithm dense = named(name, *topology, kStack);
    const Amount amount = dense.amount_of(stack);
    expect_same(dense.goal(amount), plain.goal(amount));
    EXPECT_EQ(dense.name(), plain.name());
    EXPECT_EQ(dense.collective(), plain.collective());
    EXPECT_EQ(dense.proven_plans(amount), plain.plans(amount));
    EXPECT_EQ(dense.ranks_are_alike(amount), plain.ranks_are_alike(amount));
    EXPECT_EQ(dense.file_digest(), plain.file_digest());
    EXPECT_EQ(dense.for_elements().collective(), plain.collective());
  }
  EXPECT_FALSE(named("gloo(ring)", *topology, kStack).has_plans());
}

// What would take the machine's memory is refused before it is made, whatever it is made for.
TEST(Methods, OfWorkloadsCountPlansBeforeTheyAreMade) {
  const auto topology = make_topology("single-switch(100)");
  for (const char* workload : {"", "dense(inputs=1000000, outputs=1000000, samples=1)",
                               "hybrid(model=vgg19, samples=1)"}) {
    const Algorithm ring = named("ring(pieces=1000000)", *topology, workload);
    EXPECT_THROW(ring.check_size({.elements = std::size_t{1} << 40}, {.plans = 1}), InputError)
        << workload;
  }
}

// It stands for none, as of a job that only carries flows.
TEST(Methods, MayBeNone) {
  EXPECT_FALSE(Algorithm());
  const auto topology = make_topology("bcube(2,2)");
  EXPECT_TRUE(named("ring", *topology));
}

}  // namespace
}  // namespace gradwire::algorithms
