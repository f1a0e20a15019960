#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/record/stored_run.h"

/// Answers of rows that no other row competes with.
namespace gradwire::report {

/// A row, and the same point as it was simulated.
struct Alone {
  const record::StoredPoint* point = nullptr;
  const record::StoredPoint* simulated = nullptr;  ///< null where it was not, or is it itself
};

/// The synchronizations of a run, without simulated ones of which the same point was measured.
[[nodiscard]] std::vector<Alone> alone_in(const record::StoredRun& run);

/// What they take, and how that compares with their bounds and with what was simulated; without a
/// full stop. Requires at least one.
[[nodiscard]] std::string alone_words(std::span<const Alone> rows);

}  // namespace gradwire::report
