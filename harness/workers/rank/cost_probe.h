#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/workers/rank/assignment.h"
#include "schedule/cost.h"

namespace gradwire::workers {

/// Measures what the job's algorithm costs on its wiring, for sizes up to all of the gradient or
/// until a synchronization takes over a second (of the machine's time): the median of a few runs,
/// each from the last rank's start to the last rank's end, undilated. Collective; every rank gets
/// the same points. `gradient` is overwritten with zeros. Throws FabricError.
[[nodiscard]] std::vector<schedule::TimedSize> probe_costs(const Job& job,
                                                           std::span<float> gradient,
                                                           const WorkerContext& context);

/// The sizes that are probed, in elements: `elements`, a quarter of it, and so on, rising.
[[nodiscard]] std::vector<std::size_t> probe_sizes(std::size_t elements);

}  // namespace gradwire::workers
