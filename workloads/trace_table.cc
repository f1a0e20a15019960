#include "workloads/trace_table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gradwire::workloads {

void TraceTable::require_version(const TraceCell& cell) const {
  if (cell.text == fmt::to_string(kTraceVersion)) return;
  refuse(cell.place, fmt::format("the trace is of version {}; this gradwire reads version {}",
                                 cell.text, kTraceVersion));
}

TraceColumn trace_column(const TraceTable& table, const TraceCell& name) {
  if (const auto column = kTraceColumns.find(name.text)) return *column;
  table.refuse(name.place, fmt::format("unknown column '{}'; there are: {}", name.text,
                                       fmt::join(kTraceColumns.names(), ", ")));
}

std::optional<std::string_view> missing_column(const TraceRow& row) {
  for (const TraceColumn column :
       {TraceColumn::tensor, TraceColumn::elements, TraceColumn::backward}) {
    if (!row[column]) return kTraceColumns.name_of(column);
  }
  return std::nullopt;
}

}  // namespace gradwire::workloads
