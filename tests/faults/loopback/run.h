#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/units.h"
#include "tests/faults/loopback/scenario.h"

namespace gradwire::faults {

/// The sums of a rank after an execution, told in two ways.
struct SumCheck {
  std::size_t counted = 0;  ///< wrong elements, as verification counts them
  std::size_t really = 0;   ///< those that differ from sums added up here in double precision
  std::size_t first = 0;    ///< the first of these
};

/// How a run ended.
struct Outcome {
  bool hung = false;
  bool was_injected = false;           ///< the fault came to be
  bool completed = false;              ///< all executions, on all ranks
  std::optional<FabricError> verdict;  ///< who is to blame, as a real run would say
  std::vector<SumCheck> checks;        ///< of every rank and execution that came to its end
  std::string claim;                   ///< what a claimant was told; empty when it was let in
  std::optional<Nanoseconds> time;     ///< from the fault to the verdict
};

/// Runs the ranks as threads that are connected over TCP on the loopback interface, and gathers how
/// each ended, in the way of a session of workers. Blocks until all have ended. A run whose ranks
/// do not end even when they are told to stop ends the program: it says where they are.
[[nodiscard]] Outcome run(const Scenario& scenario);

}  // namespace gradwire::faults
