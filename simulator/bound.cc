#include "simulator/bound.h"

#include <algorithm>
#include <vector>

#include "core/count.h"

namespace gradwire::simulator {

double step_bound(const Fabric& fabric, std::span<const Plan> plans) {
  const std::vector<double> speeds = fabric.speeds();
  std::vector<double> load(speeds.size());
  std::vector<std::uint32_t> loaded;
  std::vector<LinkUse> uses;
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  double bound = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    double longest = 0;
    for (std::size_t actor = 0; actor < plans.size(); ++actor) {
      for (const Lane& lane : plans[actor].lanes) {
        if (step >= lane.size()) continue;
        for (const Send& send : lane[step].sends) {
          fabric.route(actor, send.to, uses);
          for (const LinkUse& use : uses) {
            load[use.link] += static_cast<double>(send.what.count * use.times);
            longest = std::max(longest, load[use.link] / speeds[use.link]);
            loaded.push_back(use.link);
          }
        }
      }
    }
    for (const std::uint32_t link : loaded) load[link] = 0;
    loaded.clear();
    bound += longest;
  }
  return bound;
}

}  // namespace gradwire::simulator
