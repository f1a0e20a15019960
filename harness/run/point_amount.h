#pragma once

#include <optional>

#include "harness/experiment/experiment.h"
#include "harness/names/algorithms.h"
#include "workloads/dense.h"

/// What a point synchronizes, and what for.
namespace gradwire::run {

/// The layers of a point whose workload is dense(...). Throws InputError at its place.
[[nodiscard]] std::optional<workloads::DenseStack> dense_of(const experiment::Point& point);

/// What a point without computing synchronizes. Throws InputError at the place of the workload, also
/// where its stack is on a host that the wiring does not have, or of an algorithm that has no use for a dense(...).
[[nodiscard]] names::Amount amount_of(const experiment::Point& point,
                                      const std::optional<workloads::DenseStack>& dense);

/// What its algorithm achieves with that. Throws InputError at the algorithm's place, also where a
/// rank's part of an all-gather is not what it has of a dense(...).
[[nodiscard]] names::Achieved achieved_by(const experiment::Point& point,
                                          const names::Amount& amount,
                                          const std::optional<workloads::DenseStack>& dense);

}  // namespace gradwire::run
