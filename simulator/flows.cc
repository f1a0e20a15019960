#include "simulator/flows.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "simulator/network.h"

namespace gradwire::simulator {

std::vector<double> completion_times(std::span<const double> capacities,
                                     std::span<const TimedFlow> flows) {
  FluidNetwork network({capacities.begin(), capacities.end()});
  std::vector<std::size_t> by_start(flows.size());
  std::iota(by_start.begin(), by_start.end(), 0);
  std::ranges::stable_sort(by_start, {}, [&](std::size_t i) { return flows[i].start; });
  std::vector<double> done(flows.size());
  std::vector<std::size_t> carried;  // by the network's number
  std::vector<LinkUse> uses;
  // At one moment flows end before others start.
  for (std::size_t next = 0; next < flows.size() || network.active() > 0;) {
    double time = network.next_event();
    if (next < flows.size()) time = std::min(time, flows[by_start[next]].start);
    ensure(time < kNever, "links have capacity");
    // Without milestones, every event is an end. Its number is free for one of the flows below.
    for (const FluidNetwork::Event& event : network.advance(time)) done[carried[event.flow]] = time;
    for (; next < flows.size() && flows[by_start[next]].start <= time; ++next) {
      const std::size_t number = by_start[next];
      const TimedFlow& flow = flows[number];
      done[number] = flow.start;
      if (flow.links.empty()) continue;
      uses.clear();
      for (const std::size_t link : flow.links) {
        uses.push_back({.link = static_cast<std::uint32_t>(link)});
      }
      const FlowId id = network.start(uses, flow.bytes);
      if (carried.size() <= id) carried.resize(id + 1);
      carried[id] = number;
    }
  }
  return done;
}

}  // namespace gradwire::simulator
