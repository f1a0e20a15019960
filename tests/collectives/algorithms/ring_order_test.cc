#include "collectives/algorithms/ring_order.h"

#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "harness/experiment/experiment.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Rank> ranks(const std::vector<std::size_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

class RingOrder : public ::testing::Test {
 protected:
  RingOrder() { fs::create_directories(folder_); }
  ~RingOrder() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(folder_ / "order.txt") << text; }

  /// ring(order=order.txt) for so many ranks, in its one spelling.
  [[nodiscard]] std::string read(std::size_t count) const {
    return to_string(with_order_read(text::parse_spec("ring(order=order.txt)"), folder_, count));
  }

  /// What is said of the file's text, behind its path.
  [[nodiscard]] std::string refusal(const std::string& text, std::size_t count) const {
    write(text);
    try {
      return read(count);
    } catch (const InputError& error) {
      const std::string said = error.what();
      const std::string path = (folder_ / "order.txt").string();
      return said.starts_with(path) ? said.substr(path.size()) : said;
    }
  }

  const fs::path folder_ =
      fs::temp_directory_path() / fmt::format("gradwire_ring_order_test_{}", ::getpid());
};

TEST_F(RingOrder, BecomesTheListThatItsFileHas) {
  write("2 0\t1\n3\n");
  EXPECT_EQ(read(4), "ring(order=2-0-1-3)");
  write("# by rack\n2 # the first\r\n\n  0 1 3# and others");
  EXPECT_EQ(read(4), "ring(order=2-0-1-3)");
  const text::Spec absolute =
      text::parse_spec(fmt::format("ring(order={}, pieces=2)", (folder_ / "order.txt").string()));
  EXPECT_EQ(to_string(with_order_read(absolute, "elsewhere", 4)), "ring(order=2-0-1-3, pieces=2)");
}

TEST_F(RingOrder, LeavesOtherAlgorithmsAsTheyAre) {
  for (const char* name : {"ring", "ring(pieces=3)", "ring(order=1-0-2)", "bml", "ps(servers=2)",
                           "ps(order=order.txt)"}) {
    EXPECT_EQ(with_order_read(text::parse_spec(name), folder_, 3), text::parse_spec(name)) << name;
  }
}

TEST_F(RingOrder, NamesLineAndColumnOfWhatIsWrong) {
  EXPECT_EQ(refusal("0 1\n 2 one\n", 4), ":2:4: 'one' is not a rank, a whole number from 0");
  EXPECT_EQ(refusal("0 -1 2\n", 3), ":1:3: '-1' is not a rank, a whole number from 0");
  EXPECT_EQ(refusal("0\n1\n4\n", 4), ":3:1: there is no rank 4: the wiring has ranks 0 to 3");
  EXPECT_EQ(refusal("0 1\n2 1\n", 4), ":2:3: rank 1 stands in the ring twice, first in line 1");
  EXPECT_EQ(refusal("0 1\n3 # 2\n", 4),
            ":2:1: rank 2 is missing: a ring has all 4 ranks of the wiring");
  EXPECT_THAT(refusal("", 2), StartsWith(":1:1: rank 0 is missing"));
  EXPECT_THAT(refusal("99999999999999999999", 2), EndsWith("is not a rank, a whole number from 0"));
}

TEST_F(RingOrder, NeedsItsFile) {
  try {
    static_cast<void>(read(2));
    FAIL() << "there is no file";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("order.txt"));
  }
}

TEST_F(RingOrder, MayBeAList) {
  EXPECT_EQ(ring_order("2-0-1", 3), ranks({2, 0, 1}));
  EXPECT_EQ(ring_order(std::nullopt, 3), ranks({}));
  const auto refused = [](const char* list) {
    try {
      static_cast<void>(ring_order(list, 3));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("2-0"),
            "ring: order=2-0: rank 1 is missing: a ring has all 3 ranks of the wiring");
  EXPECT_EQ(refused("2-0-0-1"), "ring: order=2-0-0-1: rank 0 stands in the ring twice");
  EXPECT_EQ(refused("2-0-1-3"),
            "ring: order=2-0-1-3: there is no rank 3: the wiring has ranks 0 to 2");
  EXPECT_EQ(refused("2--1"), "ring: order=2--1: '' is not a rank, a whole number from 0");
  EXPECT_EQ(refused("a.txt"), "ring: order=a.txt: 'a.txt' is not a rank, a whole number from 0")
      << "stored runs make no program read files";
}

// The path counts from the experiment's folder, a point's name is what the file says, and faults in
// the file are told with its own place.
TEST_F(RingOrder, OfAnExperiment) {
  const std::string text =
      "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nelements: 100\nwiring: single-switch(3)\n"
      "sweep: {product: {algorithm: [ring, \"ring(order=order.txt)\"]}}\n";
  const std::string file = (folder_ / "x.yaml").string();
  write("1 2 0");
  EXPECT_EQ(experiment::load_experiment_text(text, file).points.at(1).task.algorithm.name(),
            "ring(order=1-2-0)");
  write("1 2 x");
  try {
    static_cast<void>(experiment::load_experiment_text(text, file));
    FAIL() << "x is no rank";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith((folder_ / "order.txt").string() + ":1:5: 'x'"));
  }
}

// The shipped order on four leaves with an uplink each: 30/16 T_F where ranks stand leaf by leaf, and
// four times that where all four of a leaf send through its uplink.
TEST_F(RingOrder, SaysWhatCablesCarry) {
  const auto topology = topologies::make_topology("leaf-spine(4,4,1)");
  const auto time = [&](const char* name) {
    const text::Spec spec =
        with_order_read(text::parse_spec(name), fs::path(GRADWIRE_ROOT) / "experiments", 16);
    const auto plans = parse_algorithm(spec, *topology).proven_plans({.elements = 1600});
    return topologies::least_time(*topology, plans) / 1600;
  };
  EXPECT_NEAR(time("ring"), 30.0 / 16, 1e-9);
  EXPECT_NEAR(time("ring(order=0-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15)"), 30.0 / 16, 1e-9);
  EXPECT_NEAR(time("ring(order=orders/across-leaves.txt)"), 4 * 30.0 / 16, 1e-9);
}

}  // namespace
}  // namespace gradwire::algorithms
