#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "core/goal.h"
#include "core/pattern.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/transport/rank_group.h"
#include "topologies/registry.h"
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

/// As wrong_elements, over whatever transport a test is about.
using CountWrong =
    std::function<std::size_t(std::span<const Plan> plans, const Goal& goal, Dtype type)>;

// None, fewer than a vector, one piece or segment, and many that are not whole.
constexpr std::size_t kCounts[] = {0, 1, 7, 250, 20'011};

inline void expect_exact_rings(const CountWrong& wrong) {
  const auto topology = topologies::make_topology("single-switch(3)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(3, [&](Rank rank) {
      return ringallreduce::plan(*topology, rank, elements, {.pieces = 1 + elements % 3});
    });
    EXPECT_EQ(wrong(plans, all_reduce(3, elements), Dtype::float32), 0u) << elements;
  }
}

/// A server's receives of one extent from several peers are under way at once, and add to it.
inline void expect_exact_parameter_servers(const CountWrong& wrong) {
  const auto topology = topologies::make_topology("single-switch(4)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(4, [&](Rank rank) { return ps::plan(*topology, rank, elements); });
    EXPECT_EQ(wrong(plans, all_reduce(4, elements), Dtype::float32), 0u) << elements;
  }
}

/// Two lanes.
inline void expect_exact_bml(const CountWrong& wrong) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(4, [&](Rank rank) { return bml::plan(*topology, rank, elements); });
    EXPECT_EQ(wrong(plans, all_reduce(4, elements), Dtype::float32), 0u) << elements;
  }
}

inline void expect_exact_types(const CountWrong& wrong) {
  constexpr std::size_t kElements = 3001;
  const auto topology = topologies::make_topology("single-switch(3)");
  for (const Dtype type :
       {Dtype::float64, Dtype::float16, Dtype::bfloat16, Dtype::int32, Dtype::int64}) {
    const auto plans =
        plans_of(3, [&](Rank rank) { return ringallreduce::plan(*topology, rank, kElements); });
    EXPECT_EQ(wrong(plans, all_reduce(3, kElements), type), 0u) << to_string(type);
  }
}

}  // namespace gradwire::transport::device
