#include "testbed/cabling.h"

#include <map>
#include <vector>

#include <gmock/gmock.h>

#include "testbed/calibration.h"
#include "topologies/registry.h"

namespace gradwire::testbed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using topologies::Attachment;
using topologies::Topology;

Attachment port_of(std::size_t rank, std::size_t port) {
  return {NodeId(rank), Port(port)};
}

/// Everybody hears everybody on the switch that it is plugged into: that of the wiring, or another's
/// port's.
std::vector<Hearing> heard(const Topology& topology,
                           const std::map<Attachment, Attachment>& plugged = {}) {
  std::vector<Attachment> ports;
  for (std::size_t rank = 0; rank < topology.hosts(); ++rank) {
    for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
      ports.push_back(port_of(rank, port));
    }
  }
  const auto switch_of = [&](const Attachment& port) {
    const auto other = plugged.find(port);
    return topology.opposite(other == plugged.end() ? port : other->second).node;
  };
  std::vector<Hearing> all;
  for (const Attachment& by : ports) {
    for (const Attachment& of : ports) {
      if (by != of && switch_of(by) == switch_of(of)) all.push_back({by, of, true});
    }
  }
  return all;
}

TEST(MisplacedPorts, AreNoneWhereAllIsAsPlanned) {
  for (const char* name : {"bcube(2,2)", "bcube(3,2)", "bcube(2,3)", "single-switch(4)"}) {
    const auto topology = topologies::make_topology(name);
    EXPECT_THAT(misplaced_ports(*topology, heard(*topology)), IsEmpty()) << name;
    EXPECT_THAT(small_ports(*topology, heard(*topology), 9000), IsEmpty()) << name;
  }
}

// Two of three ports of each switch say which one it is.
TEST(MisplacedPorts, AreTheTwoThatWereSwapped) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  EXPECT_THAT(misplaced_ports(*topology, heard(*topology, {{port_of(1, 0), port_of(6, 0)},
                                                           {port_of(6, 0), port_of(1, 0)}})),
              ElementsAre("rank 1, port 0 is on level 0 switch 2 instead of level 0 switch 0",
                          "rank 6, port 0 is on level 0 switch 0 instead of level 0 switch 2"));
  // The two cables of one host.
  EXPECT_THAT(misplaced_ports(*topology, heard(*topology, {{port_of(5, 0), port_of(5, 1)},
                                                           {port_of(5, 1), port_of(5, 0)}})),
              ElementsAre("rank 5, port 0 is on level 1 switch 2 instead of level 0 switch 1",
                          "rank 5, port 1 is on level 0 switch 1 instead of level 1 switch 2"));
}

// Of two ports on a switch, nobody can tell which is the wrong one.
TEST(MisplacedPorts, SaysWhichMayBeWrongInstead) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  EXPECT_THAT(misplaced_ports(*topology, heard(*topology, {{port_of(0, 0), port_of(2, 0)},
                                                           {port_of(2, 0), port_of(0, 0)}})),
              ElementsAre("rank 1, port 0 is on level 0 switch 1 instead of level 0 switch 0 "
                          "(unless it is rank 2, port 0 that is on level 0 switch 0 instead of "
                          "level 0 switch 1)",
                          "rank 3, port 0 is on level 0 switch 0 instead of level 0 switch 1 "
                          "(unless it is rank 0, port 0 that is on level 0 switch 1 instead of "
                          "level 0 switch 0)"));
}

TEST(MisplacedPorts, DoNotCountWhoIsSilent) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  std::vector<Hearing> some = heard(*topology);
  std::erase_if(
      some, [](const Hearing& one) { return one.by == port_of(4, 1) || one.of == port_of(4, 1); });
  EXPECT_THAT(misplaced_ports(*topology, some), IsEmpty());
  EXPECT_THAT(misplaced_ports(*topology, {}), IsEmpty());
}

// A port that passes short frames only is in two pairs, its neighbours are in one each.
TEST(SmallPorts, AreThoseInAllPairsThatHeardNoFullFrame) {
  const auto topology = topologies::make_topology("single-switch(4)");
  std::vector<Hearing> some = heard(*topology);
  for (Hearing& one : some) {
    one.full = one.by != port_of(2, 0) && one.of != port_of(2, 0);
  }
  EXPECT_THAT(small_ports(*topology, some, 9000),
              ElementsAre("rank 2, port 0 passes no frame of MTU 9000, only short ones"));
}

TEST(SmallPorts, AreBothWhereNobodyElseIsThere) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  std::vector<Hearing> some = heard(*topology);
  for (Hearing& one : some) {
    one.full = one.by != port_of(1, 1) && one.of != port_of(1, 1);
  }
  EXPECT_THAT(
      small_ports(*topology, some, 9000),
      ElementsAre(
          "rank 1, port 1, or rank 3, port 1 passes no frame of MTU 9000, only short ones"));
}

}  // namespace
}  // namespace gradwire::testbed
