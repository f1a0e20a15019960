#include "harness/amount.h"

#include "workloads/model.h"

namespace gradwire::harness {

Amount amount_of(const std::string& workload, std::size_t elements) {
  if (workload.empty()) return {.elements = elements};
  const workloads::Model model = workloads::load_model(workload);
  return {.elements = model.elements(), .tensors = workloads::extents_of(model)};
}

}  // namespace gradwire::harness
