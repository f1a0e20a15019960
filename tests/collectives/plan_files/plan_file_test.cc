#include "collectives/plan_files/plan_file.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/registry.h"

namespace gradwire::plan_files {
namespace {

// Chunk (i N + j) p + q is piece q of the block from i to j: with N = 2, p = 2 and 9 elements sent by
// each rank, rows are [0, 9) and [9, 18), blocks of 5 and 4, pieces of 3, 2, 2, 2.
TEST(ChunkBounds, OfAnAllToAllArePiecesOfBlocks) {
  const PlanFile file{.collective = "all-to-all", .members = 2, .chunks = 8};
  const ChunkBounds bounds(file, 9);
  EXPECT_EQ(bounds.extent(0, 1), (Extent{0, 3}));
  EXPECT_EQ(bounds.extent(1, 1), (Extent{3, 2}));
  EXPECT_EQ(bounds.extent(2, 2), (Extent{5, 4}));
  EXPECT_EQ(bounds.extent(4, 1), (Extent{9, 3}));
  EXPECT_EQ(bounds.extent(7, 1), (Extent{16, 2}));
}

TEST(ChunkBounds, OfOthersAreEqualParts) {
  const PlanFile file{.collective = "all-reduce", .members = 2, .chunks = 4};
  const ChunkBounds bounds(file, 6);  // 2, 2, 1, 1
  EXPECT_EQ(bounds.extent(0, 4), (Extent{0, 6}));
  EXPECT_EQ(bounds.extent(1, 2), (Extent{2, 3}));
  EXPECT_EQ(ChunkBounds(file, 2).extent(3, 1), (Extent{2, 0}));
}

/// Rank 0 sends both chunks of an all-gather of two to rank 1's second port.
PlanFile to_port(std::size_t port) {
  PlanFile file{.file = "p.json",
                .collective = "broadcast",
                .members = 4,
                .chunks = 2,
                .root = Rank(0),
                .lanes = {{{{.from = Rank(0),
                             .to = Rank(1),
                             .chunk = 0,
                             .count = 2,
                             .at = Port(port),
                             .place = {.line = 7, .column = 3}}}}}};
  return file;
}

TEST(PlanOf, TakesThePortThatIsNamed) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  const Plan plan = plan_of(to_port(1), *topology, Rank(1), 10);
  const Recv& recv = plan.lanes.at(0).at(0).recvs.at(0);
  EXPECT_EQ(recv.from.via, Port(1));
  EXPECT_EQ(recv.where, (Extent{0, 10}));
  EXPECT_EQ(recv.how, Combine::replace);
}

TEST(PlanOf, RefusesPortsAndHostsThatTheWiringLacks) {
  const auto refusal = [](const PlanFile& file, const char* wiring) -> std::string {
    try {
      static_cast<void>(plan_of(file, *topologies::make_topology(wiring), Rank(1), 10));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(to_port(2), "bcube(2,2)"),
            "p.json:7:3: port 2 of rank 1: hosts of bcube(2,2) have 2 ports");
  EXPECT_EQ(refusal(to_port(0), "single-switch(5)"),
            "p.json is for 4 ranks; single-switch(5) has 5 hosts");
}

}  // namespace
}  // namespace gradwire::plan_files
