#include "harness/worker/assignment.h"

#include "harness/worker/synchronization.h"
#include "harness/worker/training.h"

namespace gradwire::harness {

std::unique_ptr<Assignment> make_assignment(const Job& job, const WorkerContext& context) {
  if (job.training) return std::make_unique<Training>(job, context);
  return std::make_unique<Synchronization>(job, context);
}

}  // namespace gradwire::harness
