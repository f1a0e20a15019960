#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/record/stored_run.h"

/// Answers about rows that compete with no other row.
namespace gradwire::report {

/// Row, with the same point as it was simulated.
struct Alone {
  const record::StoredPoint* point = nullptr;
  const record::StoredPoint* simulated = nullptr;  ///< null if it was not, or is one
};

/// The synchronizations of a run, without simulated ones whose point was also measured.
[[nodiscard]] std::vector<Alone> alone_in(const record::StoredRun& run);

/// States the rows' times, and how these compare with their bounds and simulations; without a full
/// stop. Requires at least one row.
[[nodiscard]] std::string alone_words(std::span<const Alone> rows);

}  // namespace gradwire::report
