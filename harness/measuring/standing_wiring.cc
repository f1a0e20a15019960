#include "harness/measuring/standing_wiring.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/count.h"
#include "topologies/load.h"

namespace gradwire::harness {

void StandingWiring::add_planned(std::span<const Plan> plans, std::size_t iterations,
                                 std::vector<testbed::LinkCounters>& planned) const {
  const topologies::Topology& wiring = topology();
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  for (std::size_t step = 0; step < steps; ++step) {
    const topologies::LinkLoad load = topologies::load_of_step(wiring, plans, step);
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const std::size_t ports = wiring.ports_per_host();
      const LinkId link = wiring.link_at({NodeId(i / ports), Port(i % ports)});
      const std::size_t bytes = iterations * sizeof(float);
      planned[i].sent_bytes += load.at({.link = link, .from_a = true}) * bytes;
      planned[i].received_bytes += load.at({.link = link, .from_a = false}) * bytes;
    }
  }
}

bool is_on_plan(const testbed::LinkCounters& before, const testbed::LinkCounters& now,
                const testbed::LinkCounters& planned, const ByteTolerance& tolerance) {
  const auto near = [&tolerance](std::uint64_t counted, std::uint64_t bytes) {
    const double expected = static_cast<double>(bytes) * (1 + tolerance.headers);
    return std::abs(static_cast<double>(counted) - expected) <=
           tolerance.share * expected + tolerance.slack;
  };
  return near(now.sent_bytes - before.sent_bytes, planned.sent_bytes) &&
         near(now.received_bytes - before.received_bytes, planned.received_bytes);
}

}  // namespace gradwire::harness
