#pragma once

#include <memory>

#include "collectives/algorithms/algorithm.h"
#include "workloads/dense.h"

/// Algorithms for a workload dense(...) (workloads/dense.h): an all-reduce sums the gradients
/// of its layers. An all-gather collects inputs and errors, of which every rank forms the gradients
/// itself: late-multiply.
namespace gradwire::algorithms {

/// Whether the algorithm is late-multiply: an all-gather, by any way. Throws InputError, without a
/// place, for one that is neither that nor an all-reduce.
[[nodiscard]] bool multiplies_late(const Algorithm& algorithm);

/// The algorithm for the layers of a stack: of K N elements, or n M (N + K) of late-multiply. Its
/// achieves() throws InputError, without a place, where a rank's part in late-multiply is not exactly
/// the M (N + K) elements that it has: a plan file may divide as it likes. Throws as multiplies_late.
[[nodiscard]] std::shared_ptr<const Method> make_for_dense(const Algorithm& algorithm,
                                                           const workloads::DenseStack& stack);

}  // namespace gradwire::algorithms
