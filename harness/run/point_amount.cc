#include "harness/run/point_amount.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/yaml_reader.h"
#include "harness/names/amount.h"
#include "harness/names/dense.h"
#include "harness/names/hybrid.h"

namespace gradwire::run {
namespace {

void check_elements(const experiment::Point& point, std::size_t elements) {
  if (elements <= experiment::kMaxElements) return;
  throw InputError(point.amount_place,
                   fmt::format("{} on {} ranks: {} elements; {} at most", point.workload,
                               point.wiring->hosts(), elements, experiment::kMaxElements));
}

}  // namespace

std::optional<workloads::DenseStack> dense_of(const experiment::Point& point) {
  if (!workloads::is_dense(point.workload)) return std::nullopt;
  return text::at(point.amount_place, [&] { return workloads::parse_dense(point.workload); });
}

names::Amount amount_of(const experiment::Point& point,
                        const std::optional<workloads::DenseStack>& dense) {
  const std::size_t ranks = point.wiring->hosts();
  auto elements = static_cast<std::size_t>(point.elements);
  if (dense) {
    elements = text::at(point.algorithm_place,
                        [&] { return names::dense_elements(point.algorithm, ranks, *dense); });
  }
  check_elements(point, elements);
  return text::at(point.amount_place, [&] {
    names::Amount amount = names::amount_of(point.workload, elements);
    names::check_stack(amount, ranks);
    return amount;
  });
}

names::Achieved achieved_by(const experiment::Point& point, const names::Amount& amount,
                            const std::optional<workloads::DenseStack>& dense) {
  return text::at(point.algorithm_place, [&] {
    names::Achieved achieved = names::achieved_by(point.algorithm, *point.wiring, amount);
    if (dense) names::check_dense_parts(point.algorithm, achieved.goal, *dense);
    if (amount.stack) check_elements(point, achieved.goal.elements);
    return achieved;
  });
}

}  // namespace gradwire::run
