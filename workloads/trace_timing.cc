#include "workloads/trace_timing.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

#include <fmt/core.h>

namespace gradwire::workloads {
namespace {

// Beyond every layer there is, and small enough that sums over a file of kMaxTraceBytes stay exact in 64
// bits, also as bytes and nanoseconds.
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;
constexpr double kMaxMicroseconds = 1e10;

/// Reads the whole cell as a number, or throws the reason why not.
template <class Number>
Number read_number(const TraceTable& table, const TraceCell& cell, const char* expected) {
  Number value{};
  const char* const end = cell.text.data() + cell.text.size();
  const auto [rest, error] = std::from_chars(cell.text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    table.refuse(cell.place, fmt::format("'{}' is out of range for {}", cell.text, expected));
  }
  if (error != std::errc() || rest != end) {
    table.refuse(cell.place, fmt::format("'{}' is not {}", cell.text, expected));
  }
  return value;
}

std::size_t read_elements(const TraceTable& table, const TraceCell& cell) {
  constexpr const char* kExpected = "a whole number above 0, such as 9408";
  const auto value = read_number<std::uint64_t>(table, cell, kExpected);
  if (value == 0) table.refuse(cell.place, fmt::format("'0' is not {}", kExpected));
  if (value > kMaxElements) {
    table.refuse(cell.place, fmt::format("{} elements are more than a tensor may have, {}", value,
                                         kMaxElements));
  }
  return value;
}

double read_microseconds(const TraceTable& table, const TraceCell& cell) {
  constexpr const char* kExpected = "a time in microseconds, such as 12.5";
  const auto value = read_number<double>(table, cell, kExpected);
  if (!std::isfinite(value)) {
    table.refuse(cell.place, fmt::format("'{}' is not finite; give {}", cell.text, kExpected));
  }
  if (value < 0) {
    table.refuse(cell.place, fmt::format("'{}' is negative; give {}", cell.text, kExpected));
  }
  if (value > kMaxMicroseconds) {
    table.refuse(cell.place,
                 fmt::format("'{}' is more than 10,000 s; give {}", cell.text, kExpected));
  }
  return value;
}

std::string read_name(const TraceTable& table, const TraceCell& cell) {
  if (cell.text.find_first_of("\",") != std::string::npos) {
    table.refuse(cell.place,
                 "names have neither commas nor quotes: traces as CSV could not hold them");
  }
  return cell.text;
}

TraceTiming read_row(const TraceTable& table, const TraceRow& row) {
  const auto& layer = row[TraceColumn::layer];
  const auto& forward = row[TraceColumn::forward];
  TraceTiming timing{.tensor = read_name(table, *row[TraceColumn::tensor]),
                     .layer = layer ? read_name(table, *layer) : "",
                     .elements = read_elements(table, *row[TraceColumn::elements]),
                     .backward = read_microseconds(table, *row[TraceColumn::backward])};
  if (timing.tensor.empty()) {
    table.refuse(row[TraceColumn::tensor]->place, "the tensor's name is empty");
  }
  if (forward.has_value() != has_forward(table)) {
    table.refuse(row.place, "'forward_us' is given for some tensors only; give it for all or none");
  }
  timing.forward = forward ? read_microseconds(table, *forward) : timing.backward / 2;
  return timing;
}

}  // namespace

bool has_forward(const TraceTable& table) {
  return !table.rows.empty() && table.rows.front()[TraceColumn::forward].has_value();
}

std::vector<TraceTiming> read_timings(const TraceTable& table) {
  if (table.rows.empty()) {
    table.refuse(table.begin, "the trace has no tensors; one per line or object is to follow");
  }
  std::vector<TraceTiming> timings;
  for (const TraceRow& row : table.rows) timings.push_back(read_row(table, row));
  return timings;
}

}  // namespace gradwire::workloads
