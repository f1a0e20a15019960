#pragma once

#include <cstddef>
#include <string>

#include "core/goal.h"
#include "core/text/spec.h"
#include "workloads/dense.h"

/// What algorithms do with a workload dense(...) (workloads/dense.h): an all-reduce sums the gradients
/// of its layers, an all-gather collects inputs and errors, of which every rank forms the gradients
/// itself.
namespace gradwire::names {

/// Whether the algorithm is late-multiply: an all-gather, by any way. Throws InputError, without a
/// place, for one that is neither that nor an all-reduce, and for what is no algorithm.
[[nodiscard]] bool multiplies_late(const text::Spec& algorithm);

/// How many elements the algorithm synchronizes on so many ranks: K N, or n M (N + K). Throws as
/// multiplies_late.
[[nodiscard]] std::size_t dense_elements(const text::Spec& algorithm, std::size_t ranks,
                                         const workloads::DenseStack& stack);

/// Throws InputError, without a place, where a rank's part in late-multiply is not exactly the
/// M (N + K) elements that it has: a plan file may divide as it likes.
void check_dense_parts(const text::Spec& algorithm, const Goal& goal,
                       const workloads::DenseStack& stack);

}  // namespace gradwire::names
