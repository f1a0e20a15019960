#include "harness/names/policies.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/units.h"
#include "schedule/optimum.h"
#include "text/arguments.h"

namespace gradwire::names {
namespace {

using schedule::Affine;
using schedule::BackwardPass;
using schedule::Schedule;

constexpr std::uint64_t kMiB = 1 << 20;

Schedule plan_fixed(text::Arguments& arguments, const BackwardPass& pass) {
  const std::uint64_t cap = arguments.bytes("cap", 25 * kMiB);
  const std::uint64_t first = arguments.bytes("first", cap);
  const bool fuse = arguments.flag("fuse");
  arguments.finish();
  if (fuse && first != cap) {
    throw InputError("fixed: a fusion buffer has one size, cap; first and fuse exclude each other");
  }
  if (fuse) return schedule::fusion_buffer(pass, static_cast<double>(cap));
  return schedule::fixed_buckets(pass, static_cast<double>(first), static_cast<double>(cap));
}

Schedule plan_optimum(const BackwardPass& pass, const schedule::CostModel& cost) {
  if (const auto* line = std::get_if<Affine>(&cost.cost)) {
    return schedule::optimum_affine(pass, *line);
  }
  return schedule::optimum(pass, cost.cost);
}

struct Policy {
  std::string_view name;
  Schedule (*plan)(const BackwardPass&, const schedule::CostModel&);
};

/// Those that take no arguments, from the simplest to the best.
constexpr std::array kPolicies = std::to_array<Policy>({
    {"none", [](const BackwardPass& pass,
                const schedule::CostModel&) { return schedule::no_overlap(pass); }},
    {"wfbp",
     [](const BackwardPass& pass, const schedule::CostModel&) { return schedule::wfbp(pass); }},
    {"synceasgd", [](const BackwardPass& pass,
                     const schedule::CostModel&) { return schedule::synceasgd(pass); }},
    {"ddp",
     [](const BackwardPass& pass, const schedule::CostModel&) {
       return schedule::fixed_buckets(pass, kMiB, 25 * kMiB);
     }},
    {"horovod",
     [](const BackwardPass& pass, const schedule::CostModel&) {
       return schedule::fusion_buffer(pass, 128 * kMiB);
     }},
    {"mg-wfbp", [](const BackwardPass& pass,
                   const schedule::CostModel& cost) { return schedule::mg_wfbp(pass, cost.line); }},
    {"mg-wfbp-infocom",
     [](const BackwardPass& pass,
        const schedule::CostModel& cost) { return schedule::mg_wfbp_infocom(pass, cost.line); }},
    {"optimum", plan_optimum},
});

}  // namespace

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Policy& policy : kPolicies) names.emplace_back(policy.name);
  return names;
}

Schedule make_schedule(const text::Spec& policy, const BackwardPass& pass,
                       const schedule::CostModel& cost) {
  text::Arguments arguments(policy);
  if (policy.name == "fixed") return plan_fixed(arguments, pass);
  const auto known = std::ranges::find(kPolicies, policy.name, &Policy::name);
  if (known == kPolicies.end()) {
    throw InputError(fmt::format("unknown schedule '{}'; there are: {}, fixed(cap=25MiB)",
                                 policy.name, fmt::join(policy_names(), ", ")));
  }
  arguments.finish();
  return known->plan(pass, cost);
}

bool plans_by_cost(const text::Spec& policy) {
  return policy.name == "optimum" || policy.name.starts_with("mg-wfbp");
}

void check_policy(const text::Spec& policy) {
  const BackwardPass pass{.gradients = {{.ready = Seconds(1), .bytes = 4}}, .end = Seconds(1)};
  const Affine line{.a = Seconds(1), .b = 1};
  static_cast<void>(make_schedule(policy, pass, {.cost = line, .line = line}));
}

}  // namespace gradwire::names
