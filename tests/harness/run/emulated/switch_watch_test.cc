#include "harness/run/emulated/switch_watch.h"

#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "testbed/net_namespace.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/registry.h"

/// What the harness sees of switches that it built.
namespace gradwire::run {
namespace {

using namespace std::chrono_literals;
using testbed::Emulation;

struct Watched {
  explicit Watched(const std::string& name)
      : topology(topologies::make_topology(name)),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, testbed::shape_for({1e9}, 9000)),
        watch(emulation, topology, clock),
        space(emulation.switch_spaces().front()) {}

  /// The interface of the cable to a host's port.
  [[nodiscard]] std::string end_of(Rank rank, Port port) const {
    const topologies::Attachment far = topology->opposite({topology->host(rank), port});
    for (const Emulation::SwitchInterface& end : space.interfaces) {
      if (end.node == far.node && end.port == far.port) return end.name;
    }
    return "";
  }
  void set_up(const std::string& interface, bool up) const {
    const testbed::InNamespace inside(space.namespace_fd);
    testbed::Netlink().set_up(interface, up);
  }
  /// What is down now, in words; waits until looking again is worth it.
  [[nodiscard]] std::string down(Nanoseconds at_least = {}) {
    std::this_thread::sleep_for(30ms);
    const auto found = watch.find_down(at_least);
    std::fprintf(stderr, "%s\n", found ? found->what() : "nothing");
    return found ? found->what() : "";
  }

  SteadyClock clock;
  std::shared_ptr<const topologies::Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
  SwitchWatch watch;
  Emulation::SwitchSpace space;
};

int check_bridge() {
  Watched bcube("bcube(2,2)");
  const TimePoint began = bcube.clock.now();
  if (!bcube.down().empty() || !bcube.watch.take_changes(began).empty()) return 1;
  bcube.set_up("s3", false);
  if (bcube.down() !=
      "link down: level 1 switch 1: s3 is down; behind it: rank 1, port 1; rank 3, port 1") {
    return 2;
  }
  if (!bcube.down(1h).empty()) return 3;
  bcube.set_up("s3", true);
  if (!bcube.down().empty()) return 4;
  const auto changes = bcube.watch.take_changes(began);
  return changes.size() == 1 && changes.front().starts_with("level 1 switch 1: s3 was down for 0.")
             ? 0
             : 5;
}

TEST(SwitchWatch, NamesASwitchAndWhatIsBehindIt) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testbed::testing::in_sandbox(check_bridge), 0);
}

int check_cables() {
  Watched bcube("bcube(2,2)");
  const std::string one = bcube.end_of(Rank(0), Port(1));
  const std::string other = bcube.end_of(Rank(2), Port(1));
  bcube.set_up(one, false);
  if (bcube.down() != "rank 0, port 1: link down: level 1 switch 0: " + one +
                          " is down, its end of the cable to rank 0, port 1") {
    return 1;
  }
  bcube.set_up(other, false);
  if (bcube.down() != "link down: level 1 switch 0: " + one +
                          " is down, its end of the cable to rank 0, port 1; " + other +
                          " is down, its end of the cable to rank 2, port 1") {
    return 2;
  }
  // A rank that lets go of its own end is not the switch's fault.
  bcube.set_up(one, true);
  bcube.set_up(other, true);
  bcube.emulation.set_link(Rank(1), Port(0), false);
  return bcube.down().empty() ? 0 : 3;
}

TEST(SwitchWatch, NamesEndsOfCablesAndWhoIsAtTheOthers) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testbed::testing::in_sandbox(check_cables), 0);
}

// A router is a namespace of its own; no host's port is down when a cable between two is cut.
int check_routers() {
  Watched tree("fat-tree(2)");
  for (const auto& space : tree.emulation.switch_spaces()) {
    for (const Emulation::SwitchInterface& end : space.interfaces) {
      if (tree.topology->is_host(tree.topology->opposite({end.node, *end.port}).node)) continue;
      const testbed::InNamespace inside(space.namespace_fd);
      testbed::Netlink().set_up(end.name, false);
      const std::string said = tree.down();
      const std::string expected = "link down: " + tree.topology->label(end.node) + ": " +
                                   end.name + " is down, its end of the cable to ";
      return said.starts_with(expected) ? 0 : 1;
    }
  }
  return 2;
}

TEST(SwitchWatch, SeesCablesBetweenSwitches) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testbed::testing::in_sandbox(check_routers), 0);
}

}  // namespace
}  // namespace gradwire::run
