#include "harness/names/amount.h"

#include <utility>

#include "workloads/dense.h"
#include "workloads/hybrid.h"
#include "workloads/model.h"

namespace gradwire::names {

Amount amount_of(const std::string& workload, std::size_t elements) {
  if (workload.empty() || workloads::is_dense(workload)) return {.elements = elements};
  if (workloads::is_hybrid(workload)) {
    workloads::Hybrid hybrid = workloads::parse_hybrid(workload);
    return {.elements = hybrid.gradients(),
            .tensors = std::move(hybrid.tensors),
            .stack = {{.host = hybrid.host, .inputs = hybrid.inputs_of_worker()}}};
  }
  const workloads::Model model = workloads::load_model(workload);
  return {.elements = model.elements(), .tensors = workloads::extents_of(model)};
}

Amount amount_of(const workloads::Profile& profile) {
  return {.elements = profile.elements(), .tensors = workloads::tensor_extents(profile)};
}

BucketAmount amount_of(const workloads::Profile& profile, const schedule::Bucket& bucket) {
  // Buckets count layers from the last one; so do tensors and elements of the gradient.
  BucketAmount result;
  for (std::size_t i = 0; i < bucket.end(); ++i) {
    const workloads::Layer& layer = profile.layers.at(profile.layers.size() - 1 - i);
    if (i < bucket.first) {
      result.first += layer.elements();
      result.amount.tensors_before += layer.tensors.size();
      continue;
    }
    for (auto tensor = layer.tensors.rbegin(); tensor != layer.tensors.rend(); ++tensor) {
      result.amount.tensors.push_back({.first = result.amount.elements, .count = *tensor});
      result.amount.elements += *tensor;
    }
  }
  return result;
}

}  // namespace gradwire::names
