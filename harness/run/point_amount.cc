#include "harness/run/point_amount.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/yaml_reader.h"

namespace gradwire::run {
namespace {

void check_elements(const experiment::Point& point, std::size_t elements) {
  if (elements <= experiment::kMaxElements) return;
  throw InputError(
      point.places.amount,
      fmt::format("{} on {} ranks: {} elements; {} at most", point.task.workload.name(),
                  point.task.wiring->hosts(), elements, experiment::kMaxElements));
}

}  // namespace

algorithms::Amount amount_of(const experiment::Point& point) {
  algorithms::Amount amount = point.task.algorithm.amount_of(point.task.workload);
  check_elements(point, amount.elements);
  return amount;
}

algorithms::Achieved achieved_by(const experiment::Point& point, const algorithms::Amount& amount) {
  algorithms::Achieved achieved =
      text::at(point.places.algorithm, [&] { return point.task.algorithm.achieves(amount); });
  if (point.task.workload.hybrid() != nullptr) check_elements(point, achieved.goal.elements);
  return achieved;
}

}  // namespace gradwire::run
