#include "harness/point_records.h"

#include <utility>

namespace gradwire::harness {

PointRecord PointRecords::of(const PreparedPoint& point, double dilation, Seconds bound,
                             std::optional<TrainingPlan> training) {
  return {.key = point.key,
          .session = session_,
          .configuration = point.configuration,
          .dilation = dilation,
          .warmup = experiment_->warmup,
          .iterations = experiment_->iterations,
          .bound = bound,
          .wiring = costs_.of(point.configuration),
          .training = std::move(training)};
}

}  // namespace gradwire::harness
