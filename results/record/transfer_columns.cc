#include "results/record/transfer_columns.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/whole_number.h"

namespace gradwire::record {
namespace {

using nlohmann::json;

/// Columns that are always lists, as long as there are transfers.
constexpr const char* kPosted = "posted_ns";
constexpr const char* kLasts = "lasts_ns";

/// A column as a list, or as one number where all are equal. Requires one value.
json column(const std::vector<std::int64_t>& values) {
  const bool alike = std::ranges::all_of(values, [&](auto value) { return value == values[0]; });
  return alike ? json(values[0]) : json(values);
}

template <class Value>
std::vector<std::int64_t> each(std::span<const TracedTransfer> transfers, Value value) {
  std::vector<std::int64_t> values;
  for (const TracedTransfer& transfer : transfers) {
    values.push_back(static_cast<std::int64_t>(value(transfer)));
  }
  return values;
}

/// The number of one transfer in a column.
const json& at(const json& columns, const char* name, std::size_t index) {
  const json& column = columns.at(name);
  return column.is_array() ? column.at(index) : column;
}

TracedTransfer transfer_at(const json& columns, std::size_t index) {
  const auto count = [&](const char* name) {
    return text::whole_number<std::size_t>(at(columns, name, index));
  };
  const Nanoseconds posted = nanoseconds_from_json(at(columns, kPosted, index));
  return {.bucket = count("bucket"),
          .lane = count("lane"),
          .step = count("step"),
          .sends = count("sends") != 0,
          .peer = {.rank = Rank(count("peer")),
                   .via = Port(count("port")),
                   .at = Port(count("peer_port"))},
          .elements = count("elements"),
          .posted = posted,
          .done = posted + nanoseconds_from_json(at(columns, kLasts, index))};
}

}  // namespace

json transfer_columns(std::span<const TracedTransfer> transfers) {
  if (transfers.empty()) return json::array();
  const auto of = [&](auto value) { return each(transfers, value); };
  using T = TracedTransfer;
  return {{"bucket", column(of([](const T& t) { return t.bucket; }))},
          {"lane", column(of([](const T& t) { return t.lane; }))},
          {"step", column(of([](const T& t) { return t.step; }))},
          {"sends", column(of([](const T& t) { return t.sends; }))},
          {"peer", column(of([](const T& t) { return t.peer.rank.value; }))},
          {"port", column(of([](const T& t) { return t.peer.via.value; }))},
          {"peer_port", column(of([](const T& t) { return t.peer.at.value; }))},
          {"elements", column(of([](const T& t) { return t.elements; }))},
          {kPosted, of([](const T& t) { return t.posted.count(); })},
          {kLasts, of([](const T& t) { return (t.done - t.posted).count(); })}};
}

std::vector<TracedTransfer> transfers_from_json(const json& value) {
  std::vector<TracedTransfer> transfers;
  if (value.is_array()) {
    for (const json& row : value) transfers.push_back(traced_transfer_from_json(row));
    return transfers;
  }
  const std::size_t count = value.at(kPosted).size();
  for (std::size_t i = 0; i < count; ++i) transfers.push_back(transfer_at(value, i));
  return transfers;
}

}  // namespace gradwire::record
