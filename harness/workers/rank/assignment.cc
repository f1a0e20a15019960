#include "harness/workers/rank/assignment.h"

#include "harness/workers/rank/dense_assignment.h"
#include "harness/workers/rank/hybrid_assignment.h"
#include "harness/workers/rank/plain_assignment.h"
#include "harness/workers/rank/program_assignment.h"
#include "harness/workers/rank/training_assignment.h"

namespace gradwire::workers {

std::unique_ptr<Assignment> make_assignment(const Job& job, const WorkerContext& context) {
  if (job.graphs) return std::make_unique<ProgramAssignment>(job, context);
  if (job.training) return std::make_unique<TrainingAssignment>(job, context);
  if (job.task.workload.dense() != nullptr) return std::make_unique<DenseAssignment>(job, context);
  if (job.task.workload.is_computed()) {
    return std::make_unique<HybridAssignment>(job, context);
  }
  return std::make_unique<PlainAssignment>(job, context);
}

}  // namespace gradwire::workers
