#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/name_table.h"
#include "core/text/text_check.h"

/// What a trace file says, cell by cell, before numbers are made of it. Both forms of file are read
/// into the same table, so that what is wrong with a value is told in the same words.
namespace gradwire::workloads {

enum class TraceColumn : std::uint8_t { tensor, layer, elements, forward, backward };
/// As files call them, in the order of TraceColumn.
inline constexpr NameTable<TraceColumn, 5> kTraceColumns({
    {"tensor", TraceColumn::tensor},
    {"layer", TraceColumn::layer},
    {"elements", TraceColumn::elements},
    {"forward_us", TraceColumn::forward},
    {"backward_us", TraceColumn::backward},
});

inline constexpr std::size_t kMaxTraceBytes = std::size_t{4} << 20;

struct TraceCell {
  std::string text;  ///< without blanks around it
  text::TextPosition place;
};

struct TraceRow {
  text::TextPosition place;
  std::array<std::optional<TraceCell>, kTraceColumns.size()> cells;

  /// The cell of a column, if the row has one.
  [[nodiscard]] const std::optional<TraceCell>& operator[](TraceColumn column) const {
    return cells[static_cast<std::size_t>(column)];
  }
};

/// The form that this program reads; a file that says none has this one. In JSON the key
/// kTraceVersionKey says it, in CSV a comment: "# gradwire-trace: 1".
inline constexpr int kTraceVersion = 1;
inline constexpr std::string_view kTraceVersionKey = "gradwire-trace";

struct TraceTable {
  std::string file;          ///< as messages name it
  std::string source;        ///< may be empty
  text::TextPosition begin;  ///< of the rows: the header's place, or the list's
  std::vector<TraceRow> rows;

  /// Throws InputError at a place of the file.
  [[noreturn]] void refuse(text::TextPosition place, const std::string& why) const {
    throw InputError(SourcePlace{file, place.line, place.column}, why);
  }

  /// Throws InputError at the cell unless it says the version that is read here.
  void require_version(const TraceCell& cell) const;
};

/// Reads the CSV form. Every row of the result has the required cells. Throws InputError for what
/// is no table of these columns.
[[nodiscard]] TraceTable read_trace_csv(std::string_view text, const std::string& file);
/// Reads the JSON form, with the same requirement and result. Throws as read_trace_csv().
[[nodiscard]] TraceTable read_trace_json(std::string_view text, const std::string& file);

/// Which column a file means. Throws InputError, naming those there are, for an unknown one.
[[nodiscard]] TraceColumn trace_column(const TraceTable& table, const TraceCell& name);

/// The first required column that `row` lacks.
[[nodiscard]] std::optional<std::string_view> missing_column(const TraceRow& row);

}  // namespace gradwire::workloads
