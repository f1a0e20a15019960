#include "harness/run/point_record_maker.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "collectives/algorithms/peer.h"
#include "harness/run/job_record.h"

namespace gradwire::run {

std::optional<Seconds> Expectations::bound() const {
  if (bounds.empty()) return std::nullopt;
  return total(bounds);
}

std::string PointRecordMaker::integrity_of(const PreparedPoint& point) const {
  if (point.configuration.backing == record::Backing::simulated) return "";
  if (!point.task.algorithm.has_plans()) return std::string(execution::kTcpChecksum);
  return std::string(execution::integrity_of(experiment_->transport));
}

// In any time T, n cables let through n (burst + rate x T), so a cut's time is less by burst / rate;
// by as much for every bucket, before which the bursts come back.
std::optional<record::WiringCost> PointRecordMaker::wiring_of(const PreparedPoint& point,
                                                              const Expectations& expected) {
  if (!experiment_->rate.is_limited()) return std::nullopt;
  record::WiringCost wiring = costs_.of(point);
  const auto buckets = static_cast<double>(std::max<std::size_t>(1, expected.bounds.size()));
  const Seconds saved = buckets * time_to_send(expected.limits.burst, expected.limits.payload);
  wiring.cut = std::max(Seconds(0), wiring.cut - saved);
  return wiring;
}

record::PointRecord PointRecordMaker::of(const PreparedPoint& point, double dilation,
                                         const Expectations& expected,
                                         std::optional<record::TrainingPlan> training) {
  return {.key = point.key,
          .attempt = attempt_,
          .configuration = point.configuration,
          .dilation = dilation,
          .warmup = experiment_->warmup,
          .iterations = experiment_->iterations,
          .integrity = integrity_of(point),
          .bus_factor = point.bus_factor,
          .bound = expected.bound(),
          .predicted = expected.predicted,
          .latency = expected.latency,
          .wiring = wiring_of(point, expected),
          .training = std::move(training)};
}

}  // namespace gradwire::run
