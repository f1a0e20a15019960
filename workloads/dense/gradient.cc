#include "workloads/dense/gradient.h"

#include "core/error.h"
#include "workloads/dense/openblas/product.h"
#include "workloads/dense/values.h"

namespace gradwire::dense {

void form_products(const workloads::DenseStack& stack, std::span<const float> share,
                   std::span<float> gradient, const Products& products) {
  ensure(share.size() == stack.values() && gradient.size() == stack.weights(),
         "a share has M (N + K) values, and a gradient K N");
  const std::vector<LayerPlace> all = places(stack);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const workloads::DenseLayer& layer = stack.layers[i];
    const LayerPlace& place = all[i];
    openblas::multiply({.samples = stack.samples,
                        .rows = layer.outputs,
                        .columns = layer.inputs,
                        .stride = layer.outputs},
                       share.subspan(place.errors.first, place.errors.count),
                       share.subspan(place.inputs.first, place.inputs.count),
                       gradient.subspan(place.weights.first, place.weights.count),
                       {.factor = 1 / static_cast<float>(products.workers), .adds = products.adds});
  }
}

}  // namespace gradwire::dense
