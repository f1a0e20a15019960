#include <algorithm>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/all_reduces.h"
#include "collectives/algorithms/collectives.h"
#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using ::testing::HasSubstr;
using testing::named;
using ::testing::StartsWith;

Amount lenet() {
  const workloads::Workload lenet = workloads::parse_workload("lenet5");
  return {.elements = lenet.elements(), .tensors = lenet.tensors()};
}

std::string refusal(const std::string& algorithm, const char* wiring, const Amount& amount) {
  const auto topology = topologies::make_topology(wiring);
  try {
    static_cast<void>(named(algorithm, *topology).proven_plans(amount));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string value_for(const text::OptionForm& option) {
  using Value = text::OptionForm::Value;
  if (option.value == Value::none) return "";
  return option.value == Value::word ? "=8-0-7-1-6-2-5-3-4" : "=3";
}

// The names alone, and with every option: numbers are 3, which bcube(3,2) has groups and servers
// for, and a word is an order of nine ranks.
TEST(Algorithms, EveryRowMakesPlansThatTheCheckerProves) {
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    const std::string name(kind.name);
    EXPECT_EQ(refusal(name, "bcube(3,2)", lenet()), "") << name;
    EXPECT_FALSE(kind.about.empty()) << name;
    for (const text::OptionForm& option : kind.options) {
      std::string call = fmt::format("{}({}{}", name, option.key, value_for(option));
      call += option.key == "dedicated" ? ", servers=2)" : ")";
      EXPECT_EQ(refusal(call, "bcube(3,2)", lenet()), "") << call;
      EXPECT_FALSE(option.about.empty()) << call;
    }
  }
}

// A name is an algorithm's of experiments or a collective's (collectives.h), not both.
TEST(Algorithms, AreNoCollectives) {
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    EXPECT_FALSE(is_collective({.name = std::string(kind.name)})) << kind.name;
  }
}

// What is said to hold without an option is what holds without it.
TEST(Algorithms, DefaultsAreWhatRowsSay) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const Amount amount{.elements = 1000};
  std::size_t compared = 0;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    for (const text::OptionForm& option : kind.options) {
      const std::string value(option.otherwise);
      if (value.empty() || value.find(' ') != std::string::npos) continue;  // words
      text::Spec spec{.name = std::string(kind.name)};
      const Plan without = parse_algorithm(spec, *topology).plan(Rank(4), amount);
      spec.options = {{std::string(option.key), value}};
      EXPECT_EQ(parse_algorithm(spec, *topology).plan(Rank(4), amount), without);
      ++compared;
    }
  }
  EXPECT_GE(compared, 1u);
}

TEST(Algorithms, RefuseWhatTheyDoNotKnow) {
  const Amount amount{.elements = 100};
  const std::string unknown = refusal("rings", "bcube(3,2)", amount);
  EXPECT_THAT(unknown, StartsWith("unknown algorithm 'rings' (did you mean 'ring'?); there are: "));
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    EXPECT_THAT(unknown, HasSubstr(std::string(kind.name) + ", "));
  }
  EXPECT_THAT(unknown, HasSubstr("and libraries: gloo(ring), "));
  EXPECT_THAT(refusal("ring(peices=2)", "bcube(3,2)", amount),
              HasSubstr("unknown option 'peices' (did you mean 'pieces'?); ring takes: pieces"));
  EXPECT_THAT(refusal("ring(pieces=0)", "bcube(3,2)", amount), HasSubstr("above 0"));
  EXPECT_THAT(refusal("bml(fast)", "bcube(3,2)", amount), HasSubstr("bml takes no options"));
  EXPECT_THAT(refusal("bml", "single-switch(4)", amount), HasSubstr("bcube(n,k) only"));
  EXPECT_THAT(refusal("staged-bcube", "single-switch(4)", amount), HasSubstr("bcube(n,k) only"));
  EXPECT_THAT(refusal("hierarchical(groups=4)", "bcube(3,2)", amount),
              HasSubstr("do not fall into groups of 4"));
  EXPECT_THAT(refusal("double-tree(pieces=0)", "bcube(3,2)", amount), HasSubstr("above 0"));
  EXPECT_THAT(refusal("ps(per-tensor)", "bcube(3,2)", amount), HasSubstr("needs a workload"));
  EXPECT_THAT(refusal("ps(byteps, servers=5)", "bcube(3,2)", amount),
              HasSubstr("at most as many servers as workers, and of 9 ranks 5 serve"));
  EXPECT_EQ(refusal("ps(byteps, dedicated, servers=2)", "bcube(3,2)", amount),
            "ps: byteps says what every rank owns; leave out dedicated");
  EXPECT_THAT(refusal("ps(fixed-order, servers=3)", "bcube(3,2)", amount),
              HasSubstr("in a fixed order at most 2 servers also work, not 3"));
}

/// What check_size says of rank 0's Plan alone.
std::string size_refusal(const std::string& algorithm, std::size_t ranks, std::size_t elements) {
  const auto topology = topologies::make_topology(fmt::format("single-switch({})", ranks));
  try {
    named(algorithm, *topology).check_size({.elements = elements}, {.plans = 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Four ranks: 1000 elements are chunks of 250 and halves of 500.
TEST(Algorithms, MakeNoMorePiecesThanThereAreElements) {
  EXPECT_EQ(size_refusal("ring(pieces=250)", 4, 1000), "");
  EXPECT_EQ(size_refusal("ring(pieces=251)", 4, 1000),
            "ring: pieces=251: of 250 elements, 250 at most can be made");
  EXPECT_EQ(size_refusal("double-tree(pieces=500)", 4, 1000), "");
  EXPECT_THAT(size_refusal("double-tree(pieces=501)", 4, 1000), HasSubstr("500 at most"));
  EXPECT_EQ(size_refusal("ring", 4, 1), "") << "one piece is always there";
  EXPECT_EQ(size_refusal("double-tree", 4, 1), "");
  EXPECT_THAT(size_refusal("ring(pieces=1000001)", 2, std::size_t{1} << 40),
              HasSubstr("1000000 at most"));
}

// A ring of 100 ranks sends and receives 4 * 99 * 1e6 pieces, and all of them a hundred times that.
TEST(Algorithms, AreCountedBeforeTheirPlansAreMade) {
  constexpr std::size_t kMany = std::size_t{1} << 36;
  EXPECT_EQ(size_refusal("ring(pieces=1000000)", 100, kMany),
            "ring(pieces=1000000): 4e+08 sends and receives on 100 ranks; 5e+07 at most");
  EXPECT_EQ(size_refusal("ring(pieces=100000)", 100, kMany), "");
  EXPECT_THAT(refusal("ring(pieces=100000)", "single-switch(100)", {.elements = kMany}),
              HasSubstr("4e+09 sends and receives on 100 ranks"));
  EXPECT_EQ(size_refusal("ps", 100'000, 9), "") << "as many as the wiring has ranks";
}

// No bound of ours is below what a rank does: 9 ranks, 3 tensors on 2 servers among others.
TEST(Algorithms, AreNoLargerThanTheirRowsSay) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const Amount amount{.elements = 1000, .tensors = {{0, 500}, {500, 300}, {800, 200}}};
  for (const char* name : {"ring", "ring(pieces=7)", "double-tree(pieces=5)", "ps", "ps(servers=2)",
                           "ps(per-tensor, servers=2)", "ps(servers=2, dedicated, pieces=3)",
                           "ps(byteps)", "ps(byteps, servers=3, pieces=5)"}) {
    const text::Spec spec = text::parse_spec(name);
    const auto kind = std::ranges::find(algorithm_kinds(), spec.name, &AlgorithmKind::name);
    const double most =
        kind->size(text::Arguments(kind->name, spec, kind->options), 9, amount).transfers;
    std::size_t busiest = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      std::size_t transfers = 0;
      for (const Lane& lane : parse_algorithm(spec, *topology).plan(Rank(i), amount).lanes) {
        for (const Step& step : lane) transfers += step.sends.size() + step.recvs.size();
      }
      busiest = std::max(busiest, transfers);
    }
    EXPECT_LE(static_cast<double>(busiest), most) << name;
    EXPECT_GE(2 * static_cast<double>(busiest), most) << name;
  }
}

// LeNet-5 at 40 Gbit/s, MTU 9000: 16/9 T_F = 16/9 * 13,098,536 B / (5e9 * 8948/9014) B/s.
TEST(BoundOf, IsTheClosedFormAtThePayloadRate) {
  const auto topology = topologies::make_topology("single-switch(9)");
  const auto plans = named("ring", *topology).proven_plans(lenet());
  const double expected = 16.0 / 9 * 13'098'536 / (5e9 * 8948 / 9014);
  const double one_element_per_step = 16 * 4 / 4.9e9;  // chunks differ by one element
  EXPECT_NEAR(bound_of(*topology, plans, {.payload = {40e9 * 8948 / 9014}}, Dtype::float32).count(),
              expected, one_element_per_step);
}

}  // namespace
}  // namespace gradwire::algorithms
