#include <utility>

#include <fmt/core.h>

#include "core/text/csv_document.h"
#include "workloads/trace_table.h"

namespace gradwire::workloads {
namespace {

using text::CsvDocument;
using text::CsvField;

constexpr std::string_view kSource = "source:";

void read_comments(const CsvDocument& document, TraceTable& table) {
  for (const CsvField& comment : document.comments) {
    const std::string_view said = comment.text;
    if (said.starts_with(kTraceVersionKey)) {
      const std::string_view version = text::trimmed(said.substr(kTraceVersionKey.size()));
      if (version.starts_with(':')) {
        table.require_version(
            {.text = std::string(text::trimmed(version.substr(1))), .place = comment.position});
      }
    }
    if (said.starts_with(kSource) && table.source.empty()) {
      table.source = text::trimmed(said.substr(kSource.size()));
    }
  }
}

/// The columns in the file's order.
std::vector<TraceColumn> read_header(const CsvDocument& document, TraceTable& table) {
  table.begin = {document.header.front().position.line, 1};
  std::vector<TraceColumn> columns;
  TraceRow given;
  for (const CsvField& field : document.header) {
    const TraceCell cell{.text = field.text, .place = field.position};
    columns.push_back(trace_column(table, cell));
    given.cells[static_cast<std::size_t>(columns.back())] = cell;
  }
  if (const auto missing = missing_column(given)) {
    table.refuse(table.begin, fmt::format("column '{}' is missing; a trace needs tensor, elements "
                                          "and backward_us",
                                          *missing));
  }
  return columns;
}

}  // namespace

TraceTable read_trace_csv(std::string_view text, const std::string& file) {
  CsvDocument document = text::parse_csv(text, file);
  TraceTable table{.file = file, .source = {}, .begin = {}, .rows = {}};
  read_comments(document, table);
  const std::vector<TraceColumn> columns = read_header(document, table);
  for (std::vector<CsvField>& record : document.records) {
    TraceRow row{.place = {record.front().position.line, 1}, .cells = {}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      row.cells[static_cast<std::size_t>(columns[i])] = {.text = std::move(record[i].text),
                                                         .place = record[i].position};
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace gradwire::workloads
