#pragma once

#include <string>
#include <vector>

#include "schedule/cost.h"
#include "schedule/policy.h"
#include "text/spec.h"

/// The schedules by the names that experiments use. A new one is added here and nowhere else.
///
///     none                            S-SGD: a bucket per tensor, after the backward pass
///     wfbp                            a bucket per tensor, as soon as it is ready
///     synceasgd                       one bucket
///     ddp                             fixed(first=1MiB, cap=25MiB), as PyTorch
///     horovod                         fixed(cap=128MiB, fuse), as Horovod's fusion buffer
///     fixed(first=1MiB, cap=25MiB)    fuse: close before the gradient that does not fit
///     mg-wfbp, mg-wfbp-infocom        the greedy rule of the two papers
///     optimum                         what ends first, for a cost that depends on the size alone
namespace gradwire::names {

/// Throws InputError, without a place, for an unknown policy or option.
[[nodiscard]] schedule::Schedule make_schedule(const text::Spec& policy,
                                               const schedule::BackwardPass& pass,
                                               const schedule::CostModel& cost);

/// Throws what make_schedule would.
void check_policy(const text::Spec& policy);

/// Whether the policy goes by what a size costs. Only an algorithm whose cost depends on the size
/// alone can be planned so; per-tensor placement is none.
[[nodiscard]] bool plans_by_cost(const text::Spec& policy);

/// Those that take no arguments, from the simplest to the best.
[[nodiscard]] std::vector<std::string> policy_names();

}  // namespace gradwire::names
