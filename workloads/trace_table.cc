#include "workloads/trace_table.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gradwire::workloads {

TraceColumn trace_column(const TraceTable& table, const TraceCell& name) {
  const auto known = std::ranges::find(kTraceColumns, name.text);
  if (known == kTraceColumns.end()) {
    table.refuse(name.place, fmt::format("unknown column '{}'; there are: {}", name.text,
                                         fmt::join(kTraceColumns, ", ")));
  }
  return static_cast<TraceColumn>(known - kTraceColumns.begin());
}

std::optional<std::string_view> missing_column(const TraceRow& row) {
  for (const TraceColumn column :
       {TraceColumn::tensor, TraceColumn::elements, TraceColumn::backward}) {
    if (!row[column]) return kTraceColumns[static_cast<std::size_t>(column)];
  }
  return std::nullopt;
}

}  // namespace gradwire::workloads
