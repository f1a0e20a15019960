#include "harness/workers/rank/plain_assignment.h"

#include <algorithm>
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
      buffer_(job.type, goal.elements),
      gradient_(buffer_.elements()) {
  if (!job.is_calibration()) {
    pattern_.emplace(goal, job.seed, job.type);
    const bool has_plan = !names::is_peer(job.algorithm);
    touched_ = touched(goal, rank_, has_plan ? plan_of(job, amount_of(job)) : Plan{});
  }
  begins_ = std::move(goal.begins[rank_.index()]);
  ends_ = std::move(goal.ends[rank_.index()]);
  const names::BucketAmount everything{.amount = amount_of(job)};
  synchronizer_ = make_synchronizer(job, {&everything, 1}, gradient_, context_);
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
    for (const Extent& extent : touched_) std::ranges::fill(gradient_.bytes(extent), std::byte{0});
  }
  for (const Extent& extent : begins_) {
    pattern_->fill(gradient_.part(extent), rank_, extent.first);
  }
}

void PlainAssignment::require_intact() const {
  context_.rendezvous.barrier();  // so that the others' filling does not delay those who look
  for (const Extent& extent : begins_) {
    const Elements part = gradient_.part(extent);
    const std::optional<std::size_t> element = pattern_->find_damaged(part, rank_, extent.first);
    if (!element) continue;
    throw FabricError(
        FabricFailure::corrupted, {.rank = rank_},
        fmt::format("element {} of its gradient is {} instead of {}, before anything was sent",
                    *element, value_at(gradient_, *element), pattern_->value(rank_, *element)));
  }
}

std::int64_t PlainAssignment::count_wrong() const {
  std::size_t wrong = 0;
  for (const Extent& extent : ends_) {
    wrong += pattern_->count_wrong(gradient_.part(extent), extent.first);
  }
  return static_cast<std::int64_t>(wrong);
}

}  // namespace gradwire::workers
