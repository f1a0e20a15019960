#include "harness/workers/rank/plain_assignment.h"

#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/touched.h"
#include "harness/names/peer_algorithms.h"

namespace gradwire::workers {

PlainAssignment::PlainAssignment(const Job& job, const WorkerContext& context)
    : PlainAssignment(job, context, goal_of(job)) {}

PlainAssignment::PlainAssignment(const Job& job, const WorkerContext& context, Goal goal)
    : rank_(job.rank),
      context_(context),
      gradient_(make_gradient_memory(job, goal.elements, context)) {
  if (!job.is_calibration()) {
    pattern_.emplace(goal, job.seed, job.type);
    const bool has_plan = !names::is_peer(job.algorithm);
    touched_ = touched(goal, rank_, has_plan ? plan_of(job, amount_of(job)) : Plan{});
  }
  begins_ = std::move(goal.begins[rank_.index()]);
  ends_ = std::move(goal.ends[rank_.index()]);
  const names::BucketAmount everything{.amount = amount_of(job)};
  synchronizer_ = gradient_->connect(job, {&everything, 1}, context_);
}

record::RankIteration PlainAssignment::iterate(const IterationRequest& request) {
  if (!pattern_) return synchronize_all(*synchronizer_, context_, request.trace);
  pattern_->turn_to(request.iteration);
  fill();
  if (request.check) require_intact();
  record::RankIteration mine = synchronize_all(*synchronizer_, context_, request.trace);
  if (request.check) {
    context_.rendezvous.barrier();  // verifying keeps a core busy that a slower rank may still need
    synchronizer_->put_in_place(0);
    mine.wrong = count_wrong();
  }
  return mine;
}

void PlainAssignment::fill() {
  if (begins_ != touched_) {
    for (const Extent& extent : touched_) gradient_->clear(extent);
  }
  for (const Extent& extent : begins_) {
    gradient_->fill(*pattern_, rank_, extent);
  }
  gradient_->settle();
}

void PlainAssignment::require_intact() const {
  context_.rendezvous.barrier();  // so that the others' filling does not delay those who look
  for (const Extent& extent : begins_) {
    const std::optional<std::size_t> element = gradient_->find_damaged(*pattern_, rank_, extent);
    if (!element) continue;
    throw FabricError(
        FabricFailure::corrupted, {.rank = rank_},
        fmt::format("element {} of its gradient is {} instead of {}, before anything was sent",
                    *element, gradient_->value_at(*element), pattern_->value(rank_, *element)));
  }
}

std::int64_t PlainAssignment::count_wrong() const {
  std::size_t wrong = 0;
  for (const Extent& extent : ends_) {
    wrong += gradient_->count_wrong(*pattern_, extent);
  }
  return static_cast<std::int64_t>(wrong);
}

}  // namespace gradwire::workers
