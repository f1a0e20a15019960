#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "core/goal.h"
#include "core/pattern.h"
#include "tests/transport/rank_group.h"
#include "transport/device/device.h"
#include "transport/device/pattern.h"

/// Real Plans on gradients in the memory of devices.
namespace gradwire::transport::device {

/// Runs the Plans twice over a transport whose gradients lie on a device, with fresh data of this type;
/// counts wrong elements.
template <class Transport>
std::size_t wrong_elements(Device& device, std::span<const Plan> plans, const Goal& goal,
                           Dtype type) {
  Transport transport(plans.size(), device);
  std::vector<std::size_t> wrong(plans.size(), 0);
  const auto work = [&](transport::testing::RankContext& rank) {
    const std::size_t self = rank.self.index();
    const DeviceElements gradient = transport.gradients[self].elements;
    const auto stream = device.make_stream(0);
    Pattern pattern(goal, 0, type);
    for (std::size_t iteration = 0; iteration < 2; ++iteration) {
      pattern.turn_to(iteration);
      stream->clear(gradient);
      for (const Extent& e : goal.begins[self]) {
        fill(*stream, gradient.part(e), pattern, rank.self, e.first);
      }
      stream->synchronize();
      rank.rendezvous.barrier();
      rank.executor.execute();
      for (const Extent& e : goal.ends[self]) {
        wrong[self] += count_wrong(*stream, gradient.part(e), pattern, e.first);
      }
      rank.rendezvous.barrier();
    }
  };
  transport::testing::expect_ended_well(transport::testing::run_ranks(
      transport, plans, goal.elements, work, transport::testing::GroupOptions{.type = type}));
  return std::reduce(wrong.begin(), wrong.end());
}

template <class MakePlan>
std::vector<Plan> plans_of(std::size_t ranks, const MakePlan& make_plan) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < ranks; ++i) plans.push_back(make_plan(Rank(i)));
  return plans;
}

}  // namespace gradwire::transport::device
