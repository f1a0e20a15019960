#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "workloads/trace_table.h"

namespace gradwire::workloads {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSource = "source:";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class CsvReader {
 public:
  explicit CsvReader(const std::string& file) { table_.file = file; }

  [[nodiscard]] TraceTable read(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      read_line(line, number);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (columns_.empty()) {
      table_.refuse({}, "there is no line of column names; begin with tensor,elements,backward_us");
    }
    return std::move(table_);
  }

 private:
  void read_line(std::string_view line, std::size_t number) {
    const std::string_view content = trim(line);
    if (content.empty()) return;
    if (content.front() == '#') return read_comment(trim(content.substr(1)), number);
    const std::vector<TraceCell> fields = split(line, number);
    if (columns_.empty()) {
      read_header(fields);
    } else {
      read_row(fields);
    }
  }

  void read_comment(std::string_view comment, std::size_t number) {
    if (comment.starts_with(kTraceVersionKey)) {
      const std::string_view version = trim(comment.substr(kTraceVersionKey.size()));
      if (version.starts_with(':')) {
        table_.require_version(
            {.text = std::string(trim(version.substr(1))), .place = {number, 1}});
      }
    }
    if (!comment.starts_with(kSource) || !table_.source.empty()) return;
    table_.source = trim(comment.substr(kSource.size()));
  }

  [[nodiscard]] std::vector<TraceCell> split(std::string_view line, std::size_t number) const {
    if (const std::size_t quote = line.find('"'); quote != std::string_view::npos) {
      table_.refuse({number, quote + 1},
                    "quotes are not read here: write the field without them and without commas");
    }
    std::vector<TraceCell> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      const std::string_view field = line.substr(begin, end - begin);
      const std::size_t blanks = std::min(field.find_first_not_of(kBlanks), field.size());
      fields.push_back({.text = std::string(trim(field)), .place = {number, begin + blanks + 1}});
      begin = end + 1;
    }
    return fields;
  }

  void read_header(const std::vector<TraceCell>& fields) {
    TraceRow given;
    for (const TraceCell& field : fields) {
      const TraceColumn column = trace_column(table_, field);
      if (given[column]) {
        table_.refuse(field.place, fmt::format("column '{}' is given twice", field.text));
      }
      given.cells[static_cast<std::size_t>(column)] = field;
      columns_.push_back(column);
    }
    table_.begin = {fields.front().place.line, 1};
    if (const auto missing = missing_column(given)) {
      table_.refuse(table_.begin,
                    fmt::format("column '{}' is missing; a trace needs tensor, elements and "
                                "backward_us",
                                *missing));
    }
  }

  void read_row(std::vector<TraceCell> fields) {
    if (fields.size() != columns_.size()) {
      const bool many = fields.size() > columns_.size();
      table_.refuse(many ? fields[columns_.size()].place : fields.back().place,
                    fmt::format("{} fields where line {} names {} columns", fields.size(),
                                table_.begin.line, columns_.size()));
    }
    TraceRow row{.place = {fields.front().place.line, 1}, .cells = {}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      row.cells[static_cast<std::size_t>(columns_[i])] = std::move(fields[i]);
    }
    table_.rows.push_back(std::move(row));
  }

  TraceTable table_;
  std::vector<TraceColumn> columns_;  ///< in the file's order; empty before the header
};

}  // namespace

TraceTable read_trace_csv(std::string_view text, const std::string& file) {
  return CsvReader(file).read(text);
}

}  // namespace gradwire::workloads
