#pragma once

#include <cstddef>
#include <string>

#include "reproduce/evidence.h"
#include "reproduce/formulas.h"

/// Eight hosts that stand for others: a ring of eight whose start-up time and rate are such that it
/// costs what an all-reduce of N workers does (experiments/mg-wfbp-scaled-*.yaml).
namespace gradwire::reproduce {

/// One of these experiments.
struct Scaled {
  std::string experiment;
  std::string stands_for;  ///< as the table shows it: "64 workers by 8 hosts"
  Iterations theory;       ///< of GoogLeNet's trace at the cost that it stands for
};

/// A ring of 4 to 512 workers, a power of two, on the network of Figure 10.
[[nodiscard]] Scaled scaled_ring(std::size_t workers);
/// Double binary trees of 128, 512 or 2048 workers on the same network.
[[nodiscard]] Scaled scaled_trees(std::size_t workers);

/// What was measured; a row a schedule.
[[nodiscard]] Iterations iterations_of_scaled(const Rows& rows);

/// Says what stands for what, and holds the measured iterations of WFBP, SyncEASGD and MG-WFBP, as
/// multiples of the best schedule's, against theory: 3 % are allowed.
void beside_theory(Entry in, const Scaled& scaled, const Iterations& measured);

}  // namespace gradwire::reproduce
