#include "harness/workers/rank/plain_assignment.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::workers {

PlainAssignment::PlainAssignment(const Job& job, const WorkerContext& context)
    : rank_(job.rank), seed_(job.seed), context_(context), gradient_(buffer_elements(job)) {
  if (!job.is_calibration()) {
    contributors_ = contributors(goal_of(job));
    contributes_ = std::ranges::find(contributors_, rank_) != contributors_.end();
  }
  const names::BucketAmount everything{.amount = amount_of(job)};
  synchronizer_ = make_synchronizer(job, {&everything, 1}, gradient_, context_);
}

record::RankIteration PlainAssignment::iterate(const IterationRequest& request) {
  if (contributors_.empty()) return synchronize(request.trace);
  const Pattern pattern(contributors_, request.iteration, seed_);
  if (contributes_) {
    pattern.fill(gradient_, rank_);
  } else {
    std::ranges::fill(gradient_, 0.0F);
  }
  if (request.check) require_intact(pattern);
  record::RankIteration mine = synchronize(request.trace);
  if (request.check) {
    context_.rendezvous.barrier();  // verifying keeps a core busy that a slower rank may still need
    mine.wrong = contributes_ ? static_cast<std::int64_t>(pattern.count_wrong(gradient_)) : 0;
  }
  return mine;
}

void PlainAssignment::require_intact(const Pattern& pattern) const {
  context_.rendezvous.barrier();  // so that the others' filling does not delay those who look
  if (!contributes_) return;
  const std::optional<std::size_t> element = pattern.find_damaged(gradient_, rank_);
  if (!element) return;
  throw FabricError(FabricFailure::corrupted, {.rank = rank_},
                    fmt::format("element {} of its gradient is {} instead of {}, before anything "
                                "was sent",
                                *element, gradient_[*element], pattern.value(rank_, *element)));
}

record::RankIteration PlainAssignment::synchronize(bool trace) {
  synchronizer_->record(trace);
  context_.rendezvous.barrier();
  const TimePoint start = context_.clock.now();
  synchronizer_->synchronize(0);
  const TimePoint end = context_.clock.now();
  record::RankIteration mine{.start = start.time_since_epoch(), .end = end.time_since_epoch()};
  if (trace) mine.transfers = synchronizer_->transfers(0, start);
  return mine;
}

}  // namespace gradwire::workers
