#include "harness/workers/rank/plain_assignment.h"

#include <cstdint>
#include <utility>

namespace gradwire::workers {

PlainAssignment::PlainAssignment(const Job& job, const WorkerContext& context)
    : PlainAssignment(job, context, goal_of(job)) {}

PlainAssignment::PlainAssignment(const Job& job, const WorkerContext& context, Goal goal)
    : context_(context), gradient_(make_gradient_memory(job, goal.elements, context)) {
  if (!job.is_calibration()) {
    const bool has_plan = job.task.algorithm.has_plans();
    check_.emplace(std::move(goal), job.rank, has_plan ? plan_of(job, amount_of(job)) : Plan{},
                   job.task.type, job.seed);
  }
  const algorithms::BucketAmount everything{.amount = amount_of(job)};
  synchronizer_ = gradient_->connect(job, {&everything, 1}, context_);
}

record::RankIteration PlainAssignment::iterate(const IterationRequest& request) {
  if (!check_) return synchronize_all(*synchronizer_, context_, request.trace);
  check_->turn_to(request.iteration);
  check_->fill(gradient_->data());
  if (request.check) {
    context_.rendezvous.barrier();  // so that the others' filling does not delay those who look
    check_->require_intact(gradient_->data());
  }
  record::RankIteration mine = synchronize_all(*synchronizer_, context_, request.trace);
  if (request.check) {
    context_.rendezvous.barrier();  // verifying keeps a core busy that a slower rank may still need
    synchronizer_->put_in_place(0);
    mine.wrong = static_cast<std::int64_t>(check_->count_wrong(gradient_->data()));
  }
  return mine;
}

}  // namespace gradwire::workers
