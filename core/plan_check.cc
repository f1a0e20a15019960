#include "core/plan_check.h"

#include "core/error.h"
#include "core/plan_check_findings.h"
#include "core/plan_check_rules.h"
#include "core/plan_check_sums.h"

namespace gradwire {

std::vector<std::string> check_plans(std::span<const Plan> plans, const Goal& goal) {
  ensure(plans.size() == goal.begins.size() && plans.size() == goal.ends.size(),
         "every rank of the goal has a Plan");
  plan_check::Findings findings;
  plan_check::check_each_rank(plans, goal.elements, findings);
  plan_check::check_matches(plans, findings);
  // Running what does not fit together would say nothing, and could read beyond the buffers.
  if (findings.empty() && goal.elements > 0) plan_check::check_sums(plans, goal, findings);
  return findings.take();
}

std::vector<std::string> check_plans(std::span<const Plan> plans, std::size_t elements) {
  return check_plans(plans, all_reduce(plans.size(), elements));
}

}  // namespace gradwire
