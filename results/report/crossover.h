#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/row.h"

/// Up to how many samples late-multiply is faster than an all-reduce (Late-multiply, 2017, section
/// 2.1): found between the rows of a run, not assumed.
namespace gradwire::report {

/// Where two times that grow with the samples meet.
struct Crossing {
  /// Samples of all workers, n M: on the straight line between the two neighbours that differ in who
  /// is faster. Absent where all that were compared agree.
  std::optional<double> samples;
  bool is_beyond =
      false;  ///< without `samples`: late-multiply is faster wherever both were measured
};

/// What is compared at the numbers of samples that rows of both have.
struct Crossover {
  record::Configuration late;        ///< of the fewest samples
  record::Configuration all_reduce;  ///< the same
  std::size_t fewest = 0;            ///< samples of all workers that were compared, from
  std::size_t most = 0;              ///< to
  Crossing gst;                      ///< of the synchronization alone
  std::optional<Crossing> step;      ///< with the products; absent where nobody formed them
};

/// Every all-gather against every all-reduce of the same layers on the same wiring and backing, if both
/// have rows for at least two numbers of samples.
[[nodiscard]] std::vector<Crossover> crossovers(std::span<const record::Row> rows);

/// "5671.4", "> 6000" or "< 4000".
[[nodiscard]] std::string to_string(const Crossing& crossing, const Crossover& of);

}  // namespace gradwire::report
