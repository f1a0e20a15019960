#include <array>
#include <cstddef>
#include <iostream>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "core/units.h"
#include "tests/simulator/packet_instance.h"
#include "topologies/registry.h"

/// Prints the table of docs/simulation.md that puts ns-3's packets beside max-min fair flows.
namespace {

using namespace gradwire;
using simulator::testing::Pattern;

constexpr double kRate = 10e9;
constexpr std::size_t kEndless = 1'000'000;

struct Case {
  const char* what;
  const char* wiring;
  Pattern pattern;
  std::size_t bytes;
  std::size_t queue = kEndless;   ///< packets
  double shortest_timeout = 0.2;  ///< seconds
};

constexpr std::array kCases{
    Case{"one transfer", "single-switch(2)", Pattern::one, 4'194'304},
    Case{"each to the next", "fat-tree(4, ecmp)", Pattern::ring, 524'288},
    Case{"all to all", "fat-tree(4)", Pattern::pushes, 131'072},
    Case{"all to all", "fat-tree(4, ecmp)", Pattern::pushes, 131'072},
    Case{"all to all", "bcube(3,2)", Pattern::pushes, 131'072},
    Case{"15 to one", "single-switch(16)", Pattern::incast, 65'536},
    Case{"15 to one", "single-switch(16)", Pattern::incast, 65'536, 400},
    Case{"15 to one", "single-switch(16)", Pattern::incast, 65'536, 100},
    Case{"15 to one", "single-switch(16)", Pattern::incast, 65'536, 100, 0.01},
    Case{"15 to one", "single-switch(16)", Pattern::incast, 1'048'576, 100},
    Case{"all to all", "fat-tree(4, ecmp)", Pattern::pushes, 65'536, 100},
    Case{"63 to one", "single-switch(64)", Pattern::incast, 65'536, 100},
};

void print(const Case& c) {
  const auto topology = topologies::make_topology(c.wiring);
  simulator::testing::PacketNetwork network = simulator::testing::packet_network(*topology, kRate);
  network.queue = c.queue;
  network.shortest_timeout = c.shortest_timeout;
  const auto transfers = simulator::testing::transfers(*topology, c.pattern, c.bytes);
  const simulator::testing::PacketRun run = simulator::testing::packet_run(network, transfers);
  const double ratio =
      simulator::testing::last_of(run) / simulator::testing::fluid_time(network, transfers);
  fmt::print(std::cout, "| {} | {} | {} | {} | {:g} ms | {} | {:.{}f} |\n", c.what, c.wiring,
             format_bytes(static_cast<double>(c.bytes)),
             c.queue == kEndless ? "all" : fmt::format("{} packets", c.queue),
             1e3 * c.shortest_timeout, run.dropped, ratio, ratio < 10 ? 2 : 0);
}

}  // namespace

int main() {
  std::cout << "| who sends | wiring | each | a port holds | shortest timeout | dropped | times as "
               "long |\n"
               "|---|---|---|---|---|---|---|\n";
  for (const Case& c : kCases) print(c);
}
