#include "harness/execution/executor.h"

#include "harness/execution/plan_agreement.h"

namespace gradwire::execution {

std::unique_ptr<transport::Executor> make_executor(const StagedPlan& staged, Elements gradient,
                                                   const RankEnds& ends) {
  require_agreement(staged.plan, ends.self, ends.rendezvous);
  const transport::LaneOptions options{
      .rank = ends.self,
      .clock = ends.clock,
      .timing = {.stall_timeout = ends.timeout, .startup = ends.startup},
      .element_bytes = gradient.element_bytes()};
  return std::make_unique<transport::Executor>(staged, connect(staged.plan, gradient, ends),
                                               ends.cancellation, options);
}

}  // namespace gradwire::execution
