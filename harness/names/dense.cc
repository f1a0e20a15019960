#include "harness/names/dense.h"

#include <fmt/core.h>

#include "core/error.h"
#include "harness/names/algorithms.h"
#include "results/record/configuration.h"

namespace gradwire::names {

bool multiplies_late(const text::Spec& algorithm) {
  const std::string collective = collective_of(algorithm);
  if (collective == "all-gather") return true;
  if (collective == record::kAllReduce) return false;
  throw InputError(
      fmt::format("{} is neither an all-reduce of a layer's gradient nor an all-gather "
                  "of its inputs and errors",
                  to_string(algorithm)));
}

std::size_t dense_elements(const text::Spec& algorithm, std::size_t ranks,
                           const workloads::DenseStack& stack) {
  return multiplies_late(algorithm) ? ranks * stack.values() : stack.weights();
}

void check_dense_parts(const text::Spec& algorithm, const Goal& goal,
                       const workloads::DenseStack& stack) {
  if (!multiplies_late(algorithm)) return;
  for (std::size_t rank = 0; rank < goal.begins.size(); ++rank) {
    std::size_t values = 0;
    for (const Extent& extent : goal.begins[rank]) values += extent.count;
    if (values == stack.values()) continue;
    throw InputError(
        fmt::format("{}: rank {} begins with {} elements, but has {} inputs and errors",
                    to_string(algorithm), rank, values, stack.values()));
  }
}

}  // namespace gradwire::names
