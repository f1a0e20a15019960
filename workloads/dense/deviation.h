#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/id.h"
#include "workloads/dense.h"

namespace gradwire::dense {

/// The workers whose gradients are averaged.
struct Averaged {
  const workloads::DenseStack& stack;
  std::span<const Rank> workers;  ///< workers with samples, each once; at least one
  std::uint64_t seed = 0;
  std::size_t iteration = 0;
};

/// The distance of an average in float32 from one in double precision.
struct Deviation {
  std::size_t wrong = 0;  ///< elements further off than rounding explains
  /// The largest of the layers' |W - R| / |R|, by Frobenius norms; absent if an element is no
  /// number.
  std::optional<double> relative;
};

/// Compares `average` with R, the average of all workers' E^T X in double precision, which it forms
/// by products over the samples of all of them.
///
/// An element of W is the sum of n M terms e x / n. Each term is rounded at most M + n + 2 times on
/// its way into it, whatever the order of additions: its product or the addition of it, M - 1
/// further additions within a worker's product, 1/n, the factor, and n additions of workers'
/// products. So with u = 2^-24 and m = M + n + 2 an element is off by no more than m u / (1 - m u)
/// times the sum of |e x| / n (Higham, Accuracy and Stability of Numerical Algorithms, section
/// 3.1), which is at most |E_k| |X_j| / n, the lengths of two columns of all workers' samples. An
/// element that is further off counts as wrong, and so does one that is no number.
///
/// Requires stack.weights() elements. Throws InputError where the program was built without
/// OpenBLAS.
[[nodiscard]] Deviation deviation(const Averaged& averaged, std::span<const float> average);

/// The memory that deviation() takes for so many workers, in bytes.
[[nodiscard]] double deviation_bytes(const workloads::DenseStack& stack, std::size_t workers);

}  // namespace gradwire::dense
