#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "testbed/emulation.h"
#include "testbed/net_namespace.h"
#include "tests/testbed/in_sandbox.h"
#include "tests/testbed/to_nobody.h"
#include "topologies/registry.h"

/// What shapers drop.
namespace gradwire::testbed {
namespace {

// A megabyte at once, where a bucket of 64 KiB and a queue of 5 KB take the first of it.
int check_drops() {
  const auto topology = topologies::make_topology("single-switch(3)");
  LinkShape shape = shape_for({20e6}, 1500);
  shape.queue = 5000;
  Emulation emulation(*topology, topologies::plan_addresses(*topology), shape);
  {
    const InNamespace inside(emulation.namespace_of(Rank(1)));
    const testing::ToNobody nobody(Emulation::interface_of(Port(0)));
    for (int i = 0; i < 1000; ++i) nobody.send(std::vector<char>(1000));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // what was not dropped has passed
  std::uint64_t at_ports = 0;
  for (std::size_t i = 0; i < topology->hosts(); ++i) {
    at_ports += emulation.dropped_at_ports(Rank(i)).at(0);
  }
  const std::uint64_t dropped = emulation.dropped_packets();
  std::fprintf(stderr, "dropped %lu, at ports %lu\n", dropped, at_ports);
  if (emulation.dropped_at_ports(Rank(1)).at(0) < 700) return 1;
  return dropped == at_ports ? 0 : 2;
}

TEST(Emulation, CountsWhatAllShapersDropAsTheSumOfThem) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_drops), 0);
}

}  // namespace
}  // namespace gradwire::testbed
