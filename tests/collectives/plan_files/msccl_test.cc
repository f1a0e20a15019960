// Algorithms in MSCCL's form become Plans that the checker proves, with the messages and steps that
// they have there.
#include "collectives/plan_files/msccl.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectives/plan_files/msccl_text.h"
#include "tests/collectives/plan_files/proving.h"
#include "topologies/least_time.h"

namespace gradwire::plan_files {
namespace {

using ::testing::IsEmpty;
using testing::Size;
using testing::size_of;

PlanFile read(const testing::XmlAlgorithm& algorithm) {
  return parse_msccl(testing::text_of(algorithm), "t.xml");
}

void expect_proven(const PlanFile& file) {
  for (const std::size_t elements : testing::awkward_counts(file)) {
    EXPECT_THAT(testing::findings(file, elements), IsEmpty()) << elements << " elements";
  }
}

/// The least time on one switch in T_F.
double bound(const PlanFile& file) {
  const auto topology =
      topologies::make_topology("single-switch(" + std::to_string(file.members) + ")");
  const std::size_t elements = 8 * file.chunks;
  const auto plans = plans_of(file, *topology, elements);
  return topologies::least_time(*topology, plans) / static_cast<double>(elements);
}

// r48ll.xml: 8 GPUs, 64 chunks; each travels 2 (N-1) times. Channels share no chunks: lanes.
TEST(Msccl, RingsBecomeLanes) {
  const PlanFile file = read(testing::ring(8, 8));
  expect_proven(file);
  EXPECT_EQ(file.collective, "all-reduce");
  EXPECT_EQ(file.chunks, 64u);
  EXPECT_EQ(file.lanes.size(), 8u);
  EXPECT_EQ(size_of(file), (Size{.messages = 64 * 14, .steps = 14}));
  EXPECT_DOUBLE_EQ(bound(file), 2 * 7 / 8.0);
}

TEST(Msccl, ARingOfTwoIsARing) {
  const PlanFile file = read(testing::ring(2, 1));
  expect_proven(file);
  EXPECT_EQ(size_of(file), (Size{.messages = 4, .steps = 2}));
}

// What is collected in scratch memory is added where it arrives: 2 N (N-1) messages in 2 steps.
TEST(Msccl, ScratchMemoryOfSumsDisappears) {
  const PlanFile file = read(testing::all_pairs(8));
  expect_proven(file);
  EXPECT_EQ(file.lanes.size(), 1u);
  EXPECT_EQ(size_of(file), (Size{.messages = 2 * 8 * 7, .steps = 2}));
  EXPECT_DOUBLE_EQ(bound(file), 2 * 7 / 8.0);
}

// Several chunks of a step are one message, in place and out of it.
TEST(Msccl, AllGathers) {
  for (const bool in_place : {true, false}) {
    const PlanFile file = read(testing::direct_all_gather(4, 3, in_place));
    expect_proven(file);
    EXPECT_EQ(file.collective, "all-gather");
    EXPECT_EQ(file.chunks, 12u);
    EXPECT_EQ(file.owners[5], Rank(1));
    EXPECT_EQ(size_of(file), (Size{.messages = 12, .steps = 1}));
  }
}

TEST(Msccl, ReduceScatters) {
  for (const bool in_place : {true, false}) {
    const PlanFile file = read(testing::ring_reduce_scatter(5, in_place));
    expect_proven(file);
    EXPECT_EQ(file.collective, "reduce-scatter");
    EXPECT_EQ(size_of(file), (Size{.messages = 20, .steps = 4}));
  }
}

// A chunk that is passed on is held by who passes it on.
TEST(Msccl, AllToAllsThroughScratchMemory) {
  const PlanFile file = read(testing::two_level_all_to_all());
  expect_proven(file);
  EXPECT_EQ(file.collective, "all-to-all");
  EXPECT_EQ(file.chunks, 16u);
  EXPECT_EQ(size_of(file), (Size{.messages = 16, .steps = 2}));
}

// What nobody uses is not sent: a message into scratch memory that is never read.
TEST(Msccl, WhatNobodyUsesIsNotSent) {
  testing::XmlAlgorithm algorithm = testing::direct_all_gather(3, 1, true);
  algorithm.scratch = 1;
  algorithm.gpus[0][0].on("s", {'o', 0});
  algorithm.gpus[1][0].add("r", {'o', 0}, {'s', 0});
  const PlanFile file = read(algorithm);
  expect_proven(file);
  EXPECT_EQ(size_of(file).messages, 6u);
}

// Sums that lack somebody, or have somebody twice, are read, and found by the checker.
TEST(Msccl, WrongSumsAreTheCheckersBusiness) {
  testing::XmlAlgorithm lacks = testing::all_pairs(4);
  lacks.gpus[2][3].steps[0] = lacks.gpus[2][3].steps[3];  // a nop in the place of an addition
  const std::size_t number = lacks.gpus[2][3].steps[0].find("s=\"3\"");
  lacks.gpus[2][3].steps[0].replace(number, 5, "s=\"0\"");
  EXPECT_THAT(testing::findings(read(lacks), 64),
              ::testing::Contains(::testing::HasSubstr("rank 2: [32, 48) ends without rank 0's")));
}

}  // namespace
}  // namespace gradwire::plan_files
