#include "transport/execution/executor.h"

#include <utility>

#include "transport/execution/plan_agreement.h"

namespace gradwire::execution {
namespace {

transport::LaneOptions lane_options(const RankEnds& ends, Dtype type) {
  return {.rank = ends.self,
          .clock = ends.clock,
          .timing = {.stall_timeout = ends.timeout, .startup = ends.startup},
          .element_bytes = size_of(type)};
}

}  // namespace

std::unique_ptr<transport::Executor> make_executor(const StagedPlan& staged, Elements gradient,
                                                   const RankEnds& ends) {
  require_agreement(staged.plan, ends.self, ends.rendezvous);
  return std::make_unique<transport::Executor>(staged, connect(staged.plan, gradient, ends),
                                               ends.cancellation,
                                               lane_options(ends, gradient.type()));
}

std::unique_ptr<transport::Executor> make_executor(
    const StagedPlan& staged, const transport::device::DeviceGradient& gradient,
    const RankEnds& ends) {
  require_agreement(staged.plan, ends.self, ends.rendezvous);
  return std::make_unique<transport::Executor>(staged, connect(staged.plan, gradient, ends),
                                               ends.cancellation,
                                               lane_options(ends, gradient.gradient.type()));
}

}  // namespace gradwire::execution
