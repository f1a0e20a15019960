#include "core/plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/error.h"

namespace gradwire {
namespace {

/// The Plan of steps [0, half) of every lane, or of [half, end).
Plan half_of(const Plan& plan, bool is_first) {
  Plan result{.stepping = plan.stepping, .lane_steppings = plan.lane_steppings};
  for (const Lane& lane : plan.lanes) {
    ensure(lane.size() % 2 == 0, "a Plan of two halves has an even number of steps");
    const auto middle = lane.begin() + static_cast<std::ptrdiff_t>(lane.size() / 2);
    result.lanes.push_back(is_first ? Lane(lane.begin(), middle) : Lane(middle, lane.end()));
  }
  return result;
}

}  // namespace

bool adds(const Plan& plan) {
  const auto is_added = [](const Recv& recv) { return recv.how == Combine::add; };
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) {
      if (std::ranges::any_of(step.recvs, is_added)) return true;
    }
  }
  return false;
}

Plan shifted(Plan plan, std::size_t elements) {
  for (Lane& lane : plan.lanes) {
    for (Step& step : lane) {
      for (Send& send : step.sends) send.what.first += elements;
      for (Recv& recv : step.recvs) recv.where.first += elements;
    }
  }
  return plan;
}

StagedPlan in_stages(std::vector<Plan> plans) {
  StagedPlan all;
  std::size_t steps = 0;
  for (Plan& plan : plans) {
    if (all.stages.empty()) {
      all.plan.stepping = plan.stepping;
      all.plan.lane_steppings = plan.lane_steppings;
    }
    ensure(plan.stepping == all.plan.stepping && plan.lane_steppings == all.plan.lane_steppings,
           "a rank has one stepping in all stages");
    if (plan.lanes.size() > all.plan.lanes.size()) all.plan.lanes.resize(plan.lanes.size());
    std::size_t longest = 0;
    for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
      Lane& lane = all.plan.lanes[i];
      lane.resize(steps);  // lanes that had less to do in an earlier stage
      longest = std::max(longest, plan.lanes[i].size());
      std::ranges::move(plan.lanes[i], std::back_inserter(lane));
    }
    all.stages.push_back({.first = steps, .count = longest});
    steps += longest;
  }
  for (Lane& lane : all.plan.lanes) lane.resize(steps);
  return all;
}

Plan beside(Plan first, Plan second) {
  std::vector<Stepping> steppings;
  for (const Plan* const plan : {&first, &second}) {
    for (std::size_t lane = 0; lane < plan->lanes.size(); ++lane) {
      steppings.push_back(plan->stepping_of(lane));
    }
  }
  std::ranges::move(second.lanes, std::back_inserter(first.lanes));
  if (!steppings.empty()) first.stepping = steppings.front();
  const bool are_alike = std::ranges::count(steppings, first.stepping) == std::ssize(steppings);
  first.lane_steppings = are_alike ? std::vector<Stepping>() : std::move(steppings);
  return first;
}

Plan then(Plan first, Plan second) {
  std::vector<Plan> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return in_stages(std::move(both)).plan;
}

Plan first_half(const Plan& plan) {
  return half_of(plan, true);
}

Plan second_half(const Plan& plan) {
  return half_of(plan, false);
}

}  // namespace gradwire
