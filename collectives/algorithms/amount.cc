#include "collectives/algorithms/amount.h"

namespace gradwire::algorithms {

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

}  // namespace gradwire::algorithms
