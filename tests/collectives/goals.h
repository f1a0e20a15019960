#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/member.h"
#include "core/count.h"
#include "core/goal.h"
#include "core/plan_check.h"
#include "tests/collectives/plans.h"

/// What the tests of goals other than an all-reduce do with the Plans of a group.
namespace gradwire::collectives::testing {

/// Makes the Plan of a member.
using MakeMemberPlan = std::function<Plan(const Member& self)>;

/// The Plans of all ranks of the wiring; those outside the group have none.
inline std::vector<Plan> group_plans(const Topology& topology, const Group& group,
                                     const MakeMemberPlan& make_plan) {
  std::vector<Plan> plans(topology.hosts());
  for (std::size_t place = 0; place < group.size(); ++place) {
    plans[group[place].index()] = make_plan({.topology = topology, .group = group, .place = place});
  }
  return plans;
}

/// The Plans of a group of all ranks.
inline std::vector<Plan> everyones_plans(const Topology& topology,
                                         const MakeMemberPlan& make_plan) {
  return group_plans(topology, everyone(topology), make_plan);
}

inline std::unique_ptr<const Topology> single_switch(std::size_t hosts) {
  return make_topology(fmt::format("single-switch({})", hosts));
}

/// An algorithm with the goal that it says it reaches, for any number of elements.
struct Collective {
  std::function<Goal(std::size_t members, std::size_t elements)> goal;
  std::function<Plan(const Member& self, std::size_t elements)> plan;
};

/// Proves it for all members of a wiring and awkward element counts, and for a group of every other
/// rank, in no order.
inline void expect_goal(const Topology& topology, const Collective& collective) {
  Group every_other;
  for (std::size_t i = 0; i < topology.hosts(); i += 2) {
    every_other.insert(i % 4 == 0 ? every_other.begin() : every_other.end(), Rank(i));
  }
  for (const Group& group : {everyone(topology), every_other}) {
    for (const std::size_t elements : awkward_counts(group.size())) {
      const auto plans = group_plans(
          topology, group, [&](const Member& self) { return collective.plan(self, elements); });
      const Goal goal = for_group(collective.goal(group.size(), elements), group, topology.hosts());
      EXPECT_THAT(check_plans(plans, goal), ::testing::IsEmpty())
          << topology.name() << ", " << group.size() << " ranks, " << elements << " elements";
    }
  }
}

/// The elements that all ports of all ranks send.
inline std::size_t sent_by_all(const std::vector<Plan>& plans) {
  std::size_t sent = 0;
  for (const Plan& plan : plans) {
    for (const PortCount& port : count_ports(plan)) sent += port.sent;
  }
  return sent;
}

/// What a collective takes, by the number of its members.
struct ClosedForm {
  std::function<std::size_t(std::size_t)> steps;
  std::function<double(std::size_t)> time;  ///< in T_F, of all elements
  std::function<double(std::size_t)> sent;  ///< by all members together, times all elements
};

/// Holds steps, time and bytes of all members of a single switch against closed forms.
inline void expect_closed_form(const Collective& collective, const ClosedForm& form,
                               std::size_t members) {
  const auto topology = single_switch(members);
  const std::size_t elements = 840 * members * members;  // parts, and parts of parts, are equal
  const auto plans = everyones_plans(
      *topology, [&](const Member& self) { return collective.plan(self, elements); });
  for (const Plan& plan : plans) EXPECT_EQ(step_count(plan), form.steps(members)) << members;
  EXPECT_NEAR(bound(*topology, plans, elements), form.time(members), 1e-9) << members;
  EXPECT_NEAR(static_cast<double>(sent_by_all(plans)) / static_cast<double>(elements),
              form.sent(members), 1e-9)
      << members;
}

}  // namespace gradwire::collectives::testing
