#include "schedule/backward_pass.h"

#include <ranges>

#include "core/error.h"

namespace gradwire::schedule {

BackwardPass backward_pass(const workloads::Profile& profile) {
  ensure(!profile.layers.empty(), "a profile has at least one layer");
  BackwardPass pass{.end = profile.forward()};
  pass.gradients.reserve(profile.layers.size());
  for (const workloads::Layer& layer : profile.layers | std::views::reverse) {
    pass.end += layer.backward;
    pass.gradients.push_back({pass.end, static_cast<double>(layer.elements() * sizeof(float))});
  }
  return pass;
}

}  // namespace gradwire::schedule
