#pragma once

#include <memory>
#include <vector>

#include "core/elements.h"
#include "core/plan.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "transport/endpoint.h"

namespace gradwire::workers {

/// Connects this rank's lanes over the job's transport: an endpoint per lane. `gradient` and what
/// the context refers to must outlive them. Collective. Throws what the transport's connect throws.
[[nodiscard]] std::vector<std::unique_ptr<transport::Endpoint>> connect(
    const Job& job, const Plan& plan, Elements gradient, const WorkerContext& context);

}  // namespace gradwire::workers
