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

/// The cells of a trace file, as text. Both forms of file are read into the same table, so that an
/// error in a value gets the same message.
namespace gradwire::workloads {

enum class TraceColumn : std::uint8_t { tensor, layer, elements, forward, backward };
/// The names of the columns in files, in the order of TraceColumn.
inline constexpr NameTable<TraceColumn, 5> kTraceColumns({
    {"tensor", TraceColumn::tensor},
    {"layer", TraceColumn::layer},
    {"elements", TraceColumn::elements},
    {"forward_us", TraceColumn::forward},
    {"backward_us", TraceColumn::backward},
});

inline constexpr std::size_t kMaxTraceBytes = std::size_t{4} << 20;

struct TraceCell {
  std::string text;  ///< text without surrounding blanks
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

/// The version of the form that this program reads, and the default for a file without one. In JSON
/// the key kTraceVersionKey gives it, in CSV a comment: "# gradwire-trace: 1".
inline constexpr int kTraceVersion = 1;
inline constexpr std::string_view kTraceVersionKey = "gradwire-trace";

struct TraceTable {
  std::string file;          ///< name in messages
  std::string source;        ///< may be empty
  text::TextPosition begin;  ///< place of the rows: the header's, or the list's
  std::vector<TraceRow> rows;

  /// Throws InputError at a place of the file.
  [[noreturn]] void refuse(text::TextPosition place, const std::string& why) const {
    throw InputError(SourcePlace{file, place.line, place.column}, why);
  }

  /// Throws InputError at the cell unless it gives the version that this program reads.
  void require_version(const TraceCell& cell) const;
};

/// Reads the CSV form. Every row of the result has the required cells. Throws InputError for a text
/// that is no table of these columns.
[[nodiscard]] TraceTable read_trace_csv(std::string_view text, const std::string& file);
/// Reads the JSON form, with the same requirement and result. Throws like read_trace_csv().
[[nodiscard]] TraceTable read_trace_json(std::string_view text, const std::string& file);

/// The column that a file's name of it stands for. Throws InputError, which lists the columns, for
/// an unknown one.
[[nodiscard]] TraceColumn trace_column(const TraceTable& table, const TraceCell& name);

/// The first required column that `row` lacks.
[[nodiscard]] std::optional<std::string_view> missing_column(const TraceRow& row);

}  // namespace gradwire::workloads
