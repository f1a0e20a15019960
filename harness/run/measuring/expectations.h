#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.h"
#include "harness/experiment/experiment.h"
#include "harness/run/job_record.h"
#include "harness/run/link_findings.h"
#include "harness/run/point_record_maker.h"
#include "harness/run/prepare.h"
#include "harness/workers/job.h"
#include "harness/workers/session/session.h"
#include "topologies/link_limits.h"

namespace gradwire::run {

/// The bounds of a measured point on links with these limits, as its job was planned if it trains;
/// none where links have no rate.
[[nodiscard]] std::vector<Seconds> bounds_of(const PreparedPoint& point,
                                             const std::optional<JobRecord>& job,
                                             const topologies::LinkLimits& limits);

/// Most messages whose time is predicted: some seconds and 400 MB beside what is being measured.
inline constexpr std::uint64_t kMostPredictedMessages = 1'000'000;

/// The GST of a measured point as the simulator has it on links that were found to be like
/// `links`: what they carry alone, and what a single message takes. Of a training job the buckets
/// are those that it has chosen; nothing else of the point is asked. Absent for libraries,
/// for hybrid(...) with a network, whose stages begin apart, without a rate, and where there is too much
/// to simulate. Throws Interrupted.
[[nodiscard]] std::optional<Seconds> predict_gst(const experiment::Experiment& experiment,
                                                 const PreparedPoint& point,
                                                 const LinkFinding& links,
                                                 const std::optional<workers::JobPlan>& job);

/// Whether what messages cost beside their bytes is the software's own latency, which looks as many
/// times smaller as links are slower. Not where the experiment names a start-up: that is as long as
/// it should be. It is measured with small messages, which libraries and whole tensors do not have.
[[nodiscard]] bool has_latency_of_software(const experiment::Experiment& experiment,
                                           const PreparedPoint& point);

/// Time that a synchronization takes whose messages have a few elements each: median of five, as
/// the clock saw it. `job` is that of the point; its workload is left out. Requires
/// has_latency_of_software. Throws as Session::assign.
[[nodiscard]] Seconds software_latency(workers::Session& session, workers::Job job);

}  // namespace gradwire::run
