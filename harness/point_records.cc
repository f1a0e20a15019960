#include "harness/point_records.h"

#include <utility>

namespace gradwire::harness {

PointRecord PointRecords::of(const PreparedPoint& point, double dilation,
                             std::optional<Seconds> bound, std::optional<TrainingPlan> training) {
  // Without a rate no time follows from a wiring.
  std::optional<WiringCost> wiring;
  if (experiment_->rate.is_limited()) wiring = costs_.of(point.configuration);
  return {.key = point.key,
          .session = session_,
          .configuration = point.configuration,
          .dilation = dilation,
          .warmup = experiment_->warmup,
          .iterations = experiment_->iterations,
          .bound = bound,
          .wiring = std::move(wiring),
          .training = std::move(training)};
}

}  // namespace gradwire::harness
