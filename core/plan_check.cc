#include "core/plan_check.h"

#include "core/plan_check_findings.h"
#include "core/plan_check_rules.h"
#include "core/plan_check_sums.h"

namespace gradwire {

std::vector<std::string> check_plans(std::span<const Plan> plans, std::size_t elements) {
  plan_check::Findings findings;
  plan_check::check_each_rank(plans, elements, findings);
  plan_check::check_matches(plans, findings);
  // Running what does not fit together would say nothing, and could read beyond the buffers.
  if (findings.empty() && elements > 0) plan_check::check_sums(plans, elements, findings);
  return findings.take();
}

}  // namespace gradwire
