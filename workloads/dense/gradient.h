#pragma once

#include <cstddef>
#include <span>

#include "workloads/dense.h"

namespace gradwire::dense {

/// The use of a worker's products E^T X in the gradient of all layers.
struct Products {
  std::size_t workers = 1;  ///< n: each product is divided by it, so that their sum is the average
  bool adds = false;        ///< adds to the products that the gradient holds already
};

/// Forms the products of one worker's share, one for each layer: Algorithm 1's local gradient, or
/// one of the n products of Algorithm 2. Requires a share of stack.values() elements and a gradient
/// of stack.weights(). Throws InputError if the program was built without OpenBLAS.
void form_products(const workloads::DenseStack& stack, std::span<const float> share,
                   std::span<float> gradient, const Products& products);

}  // namespace gradwire::dense
