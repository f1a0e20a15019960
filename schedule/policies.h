#pragma once

#include <span>
#include <string_view>

#include "core/text/arguments.h"
#include "core/text/spec.h"
#include "schedule/cost.h"
#include "schedule/policy.h"

/// The schedules by the names that experiments use; `gradwire list schedules` prints them.
namespace gradwire::schedule {

/// One policy: how its name is written, what it is, and how it makes a schedule.
struct PolicyKind {
  std::string_view name;
  std::span<const text::OptionForm> options = {};
  /// It goes by what a size costs. Only an algorithm whose cost depends on the size alone can be
  /// planned so.
  bool by_cost = false;
  std::string_view about;       ///< a phrase: its buckets, and when they are sent
  std::string_view paper = {};  ///< its source
  schedule::Schedule (*plan)(const text::Arguments& arguments, const schedule::BackwardPass& pass,
                             const schedule::CostModel& cost) = nullptr;
};

/// All policies, from the simplest to the best.
[[nodiscard]] std::span<const PolicyKind> policy_kinds();

/// Throws InputError, without a place, for an unknown policy or option.
[[nodiscard]] schedule::Schedule make_schedule(const text::Spec& policy,
                                               const schedule::BackwardPass& pass,
                                               const schedule::CostModel& cost);

/// Throws what make_schedule would.
void check_policy(const text::Spec& policy);

/// Whether the policy goes by what a size costs. Throws InputError, without a place, for an unknown
/// one.
[[nodiscard]] bool plans_by_cost(const text::Spec& policy);

}  // namespace gradwire::schedule
