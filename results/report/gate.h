#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/row.h"

/// Gates for scripts: results that a run must reach. Exit code 4 means that it did not
/// (harness/commands/exit_code.h).
namespace gradwire::report {

/// Point that fails a gate.
struct GateFailure {
  record::Configuration configuration;
  std::string reason;  ///< "eff 83.1 %, asked for 90 %"

  /// The failure for people: "ring on single-switch(9), lenet5, emulated: eff 83.1 %, asked for 90
  /// %".
  [[nodiscard]] std::string message() const;
};

struct Gate {
  double min_efficiency = 0;  ///< above 0, at most 1: bound / GST
};

/// Parses "90%", "90 %" or "0.9". Throws InputError, without a place, for anything else, and for a
/// value that is not above 0 % and at most 100 %.
[[nodiscard]] double parse_efficiency(std::string_view text);

/// The failures of the rows that do not pass, in their order. A row that cannot be judged fails: it
/// has no bound, or its sums were wrong, so that its time means nothing. Other flags are no reason:
/// a row that is faster than its bound passes. Points without a row are not considered.
[[nodiscard]] std::vector<GateFailure> failures(const Gate& gate,
                                                std::span<const record::Row> rows);

}  // namespace gradwire::report
