#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/id.h"
#include "workloads/dense.h"

/// A fully connected layer's gradient W = E^T X with real numbers: the inputs X and errors E of
/// every worker, products by OpenBLAS, and the error of an average of gradients. Late-multiply
/// (2017), section 2.1.
namespace gradwire::dense {

/// The places of one layer's matrices, each row after row. X and E are parts of a worker's share, W
/// is a part of the gradient.
struct LayerPlace {
  Extent inputs;   ///< X: M x N
  Extent errors;   ///< E: M x K
  Extent weights;  ///< W: K x N
};

/// The place of each layer: in a share, X and then E of each layer in turn; in the gradient, W of
/// each in turn. The share has stack.values() elements, the gradient stack.weights().
[[nodiscard]] std::vector<LayerPlace> places(const workloads::DenseStack& stack);

/// The key of random numbers: the same seed, iteration and rank give the same ones on every
/// machine.
struct Source {
  std::uint64_t seed = 0;
  std::size_t iteration = 0;
  Rank rank;
};

/// Fills a part of a worker's share that begins at its element `first` with inputs: random
/// multiples of 2^-24 from 0 to 1, like the outputs of a rectifier.
void fill_inputs(const Source& source, std::size_t first, std::span<float> part);
/// Fills a part of a worker's share that begins at its element `first` with errors: random
/// multiples of 2^-24 from -1/2 to 1/2.
void fill_errors(const Source& source, std::size_t first, std::span<float> part);

/// Fills all of a worker's share. Requires stack.values() elements.
void fill_share(const Source& source, const workloads::DenseStack& stack, std::span<float> share);

}  // namespace gradwire::dense
