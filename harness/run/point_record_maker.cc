#include "harness/run/point_record_maker.h"

#include <utility>

#include "harness/names/peer_algorithms.h"

namespace gradwire::run {

std::string PointRecordMaker::integrity_of(const PreparedPoint& point) const {
  if (point.configuration.backing == record::Backing::simulated) return "";
  if (names::is_peer(point.point.algorithm)) return std::string(names::kTcpChecksum);
  return std::string(names::integrity_of(experiment_->transport));
}

record::PointRecord PointRecordMaker::of(const PreparedPoint& point, double dilation,
                                         const Expectations& expected,
                                         std::optional<record::TrainingPlan> training) {
  // Without a rate no time follows from a wiring.
  std::optional<record::WiringCost> wiring;
  if (experiment_->rate.is_limited()) wiring = costs_.of(point);
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
          .wiring = std::move(wiring),
          .training = std::move(training)};
}

}  // namespace gradwire::run
