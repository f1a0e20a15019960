#include "schedule/policies.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/suggest.h"
#include "schedule/optimum.h"

namespace gradwire::schedule {
namespace {

using schedule::BackwardPass;
using schedule::CostModel;
using schedule::Schedule;
using text::Arguments;
using text::OptionForm;

constexpr std::uint64_t kMiB = 1 << 20;

constexpr std::array kFixedOptions{
    OptionForm{"cap", OptionForm::Value::bytes, "25MiB", "size at which a bucket is closed"},
    OptionForm{"first", OptionForm::Value::bytes, "cap", "the same of the first bucket"},
    OptionForm{"fuse", OptionForm::Value::none, "",
               "close before the gradient that does not fit; excludes first"},
};

constexpr std::array kHorovodOptions{
    OptionForm{"cycle", OptionForm::Value::duration, "1ms", "from one cycle to the next"},
    OptionForm{"cap", OptionForm::Value::bytes, "128MiB", "the most that is fused"},
};

Schedule plan_fixed(const Arguments& arguments, const BackwardPass& pass, const CostModel&) {
  const std::uint64_t cap = arguments.bytes("cap");
  const std::uint64_t first = arguments.bytes_or("first", cap);
  const bool fuse = arguments.has("fuse");
  if (fuse && first != cap) {
    throw InputError("fixed: a fusion buffer has one size, cap; first and fuse exclude each other");
  }
  if (fuse) return schedule::fusion_buffer(pass, static_cast<double>(cap));
  return schedule::fixed_buckets(pass, static_cast<double>(first), static_cast<double>(cap));
}

Schedule plan_ddp(const Arguments&, const BackwardPass& pass, const CostModel&) {
  return schedule::fixed_buckets(pass, kMiB, 25 * kMiB);
}

Schedule plan_horovod(const Arguments& arguments, const BackwardPass& pass, const CostModel& cost) {
  return schedule::fusion_cycles(
      pass, cost.cost,
      {.time = arguments.duration("cycle"), .cap = static_cast<double>(arguments.bytes("cap"))});
}

Schedule plan_mg_wfbp(const Arguments&, const BackwardPass& pass, const CostModel& cost) {
  return schedule::mg_wfbp(pass, cost.line);
}

Schedule plan_mg_wfbp_infocom(const Arguments&, const BackwardPass& pass, const CostModel& cost) {
  return schedule::mg_wfbp_infocom(pass, cost.line);
}

Schedule plan_optimum(const Arguments&, const BackwardPass& pass, const CostModel& cost) {
  if (const auto* line = std::get_if<schedule::Affine>(&cost.cost)) {
    return schedule::optimum_affine(pass, *line);
  }
  return schedule::optimum(pass, cost.cost);
}

/// A policy that looks at nothing but the backward pass.
template <Schedule (*policy)(const BackwardPass&)>
Schedule plan_from(const Arguments&, const BackwardPass& pass, const CostModel&) {
  return policy(pass);
}

constexpr std::array kPolicyKinds{
    PolicyKind{.name = "none",
               .about = "a bucket for each layer, all after the backward pass",
               .paper = "S-SGD",
               .plan = plan_from<schedule::no_overlap>},
    PolicyKind{.name = "wfbp",
               .about = "a bucket for each layer, as soon as it is ready",
               .paper = "wait-free backpropagation; MG-WFBP, TPDS 2021, eq. 6-8",
               .plan = plan_from<schedule::wfbp>},
    PolicyKind{.name = "synceasgd",
               .about = "one bucket of everything",
               .paper = "MG-WFBP, TPDS 2021, eq. 9",
               .plan = plan_from<schedule::synceasgd>},
    PolicyKind{.name = "fixed",
               .options = kFixedOptions,
               .about = "buckets that close at sizes of your own",
               .plan = plan_fixed},
    PolicyKind{.name = "ddp",
               .about = "buckets that close at 1 MiB first, then at 25 MiB",
               .paper = "PyTorch's DistributedDataParallel",
               .plan = plan_ddp},
    PolicyKind{.name = "horovod",
               .options = kHorovodOptions,
               .by_cost = true,
               .about = "now and then, what is ready, in buckets of what fits",
               .paper = "Horovod's tensor fusion, with the defaults of 0.21 and later",
               .plan = plan_horovod},
    PolicyKind{.name = "mg-wfbp",
               .by_cost = true,
               .about = "greedy: take the next layer if it is ready within a start-up time",
               .paper = "MG-WFBP, TPDS 2021, Algorithm 1",
               .plan = plan_mg_wfbp},
    PolicyKind{.name = "mg-wfbp-infocom",
               .by_cost = true,
               .about = "the same as INFOCOM prints it; two times that it leaves unset are 0",
               .paper = "MG-WFBP, INFOCOM 2019, Algorithm 1",
               .plan = plan_mg_wfbp_infocom},
    PolicyKind{.name = "optimum",
               .by_cost = true,
               .about = "the buckets that end first, for a cost that depends on the size alone",
               .plan = plan_optimum},
};

const PolicyKind& find_policy(const std::string& name) {
  const auto* const kind = std::ranges::find(kPolicyKinds, name, &PolicyKind::name);
  if (kind != kPolicyKinds.end()) return *kind;
  std::vector<std::string> known;
  for (const PolicyKind& each : kPolicyKinds) known.emplace_back(each.name);
  throw InputError(fmt::format("{}; there are: {}", text::unknown_name("schedule", name, known),
                               fmt::join(known, ", ")));
}

}  // namespace

std::span<const PolicyKind> policy_kinds() {
  return kPolicyKinds;
}

Schedule make_schedule(const text::Spec& policy, const BackwardPass& pass, const CostModel& cost) {
  const PolicyKind& kind = find_policy(policy.name);
  return kind.plan(Arguments(kind.name, policy, kind.options), pass, cost);
}

bool plans_by_cost(const text::Spec& policy) {
  return find_policy(policy.name).by_cost;
}

void check_policy(const text::Spec& policy) {
  const BackwardPass pass{.gradients = {{.ready = Seconds(1), .bytes = 4}}, .end = Seconds(1)};
  const schedule::Affine line{.a = Seconds(1), .b = 1};
  static_cast<void>(make_schedule(policy, pass, {.cost = line, .line = line}));
}

}  // namespace gradwire::schedule
