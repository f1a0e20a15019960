#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/trace_table.h"

namespace gradwire::workloads {

/// One line of a trace, as numbers.
struct TraceTiming {
  std::string tensor;
  std::string layer;  ///< empty: the tensor is a layer of its own
  std::size_t elements = 0;
  double forward = 0;  ///< microseconds; half of backward if the trace leaves it out
  double backward = 0;
};

/// Whether the rows have forward times.
[[nodiscard]] bool has_forward(const TraceTable& table);

/// The numbers of every row. Throws InputError with the place of a cell that is no name, no number
/// or out of range, and for a table without rows.
[[nodiscard]] std::vector<TraceTiming> read_timings(const TraceTable& table);

}  // namespace gradwire::workloads
