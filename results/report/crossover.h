#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/row.h"

/// Crossover: the number of samples up to which late-multiply is faster than an all-reduce
/// (Late-multiply, 2017, section 2.1). It is found between the rows of a run, not assumed.
namespace gradwire::report {

/// Number of samples at which two times that grow with it meet.
struct Crossing {
  /// Samples of all workers, n M, on the straight line between the two neighbours that differ in
  /// which is faster. Absent where all comparisons agree.
  std::optional<double> samples;
  bool is_beyond =
      false;  ///< without `samples`: late-multiply is faster wherever both were measured
};

/// Comparison of two algorithms at the numbers of samples that both have rows for.
struct Crossover {
  record::Configuration late;        ///< late-multiply, at the fewest samples
  record::Configuration all_reduce;  ///< all-reduce, at the fewest samples
  std::size_t fewest = 0;            ///< first number of samples of all workers that was compared
  std::size_t most = 0;              ///< last such number
  Crossing gst;                      ///< crossing of the synchronization alone
  std::optional<Crossing> step;      ///< with the products; absent where none were formed
};

/// Finds the crossovers: every all-gather against every all-reduce of the same layers on the same
/// wiring and backing, if both have rows for at least two numbers of samples.
[[nodiscard]] std::vector<Crossover> crossovers(std::span<const record::Row> rows);

/// The crossing as text: "5671.4", "> 6000" or "< 4000".
[[nodiscard]] std::string to_string(const Crossing& crossing, const Crossover& of);

}  // namespace gradwire::report
