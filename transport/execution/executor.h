#pragma once

#include <memory>

#include "core/elements.h"
#include "core/plan.h"
#include "transport/device/device.h"
#include "transport/execution/connect.h"
#include "transport/executor.h"

namespace gradwire::execution {

/// Makes one rank ready to run its Plan on `gradient`: once all ranks' Plans are seen to belong
/// together, connects its lanes. `gradient` must outlive the executor, unless the executor is told
/// of other memory. Collective: blocks until all ranks are connected. Throws FabricError,
/// InputError, SystemError.
[[nodiscard]] std::unique_ptr<transport::Executor> make_executor(const StagedPlan& staged,
                                                                 Elements gradient,
                                                                 const RankEnds& ends);
/// Makes an executor, as above, for a gradient in the memory of a device. Throws DeviceError, too.
[[nodiscard]] std::unique_ptr<transport::Executor> make_executor(
    const StagedPlan& staged, const transport::device::DeviceGradient& gradient,
    const RankEnds& ends);

}  // namespace gradwire::execution
