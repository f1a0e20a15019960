#pragma once

#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// Source of a metric's value: a row, and its run where one is at hand.
struct Subject {
  const record::Row& row;
  const record::StoredRun* run = nullptr;
};

/// The type of a metric's values.
enum class Kind : std::uint8_t {
  text,      ///< a string
  count,     ///< an integer, 0 or more
  positive,  ///< an integer, 1 or more
  number,    ///< a real number
  list,      ///< an array; Metric::element has the type of its elements
  object,    ///< a JSON object that holds other metrics; it has no value of its own
};

/// Place of a metric in a form, if the form shows it.
struct Place {
  bool shown = false;
  std::string_view after = "";  ///< name of the metric before it; empty: as in metrics()
};

/// Place of a metric that is shown in the order of metrics().
inline constexpr Place kShown{.shown = true};

/// Place of a metric that is shown right after another.
[[nodiscard]] constexpr Place shown_after(std::string_view name) {
  return {.shown = true, .after = name};
}

/// Column of the CSV.
struct CsvColumn {
  std::string_view name = "";   ///< empty: not in the CSV
  std::string_view after = "";  ///< name of the metric before it, as Place::after
};

/// The rows whose default table has a column: by kind, as what answers their question differs.
struct Brief {
  bool plain = false;     ///< rows of a synchronization
  bool training = false;  ///< rows of a training job
  bool dense = false;     ///< rows of fully connected layers whose products were formed
  bool once = false;      ///< said above the table, not in it, where all rows agree
};

/// In every default table.
inline constexpr Brief kBrief{.plain = true, .training = true, .dense = true};
/// In every default table, once where all rows agree.
inline constexpr Brief kBriefOnce{.plain = true, .training = true, .dense = true, .once = true};

/// A column of the text tables.
struct TextColumn {
  std::string_view heading = "";       ///< empty: in no table
  Brief brief{};                       ///< in the default tables
  Place results{};                     ///< in the result table that has all
  Place training{};                    ///< in the training table
  Place dense{};                       ///< in the table of fully connected layers
  std::string_view format = "{:.1f}";  ///< fmt format of a Kind::number
  double factor = 1;                   ///< factor by which a Kind::number is multiplied
};

/// One quantity of a row: its definition, its value, and where it is shown.
struct Metric {
  std::string_view name;        ///< unique name for people
  std::string_view unit = "";   ///< "us", "B", "GB/s", "%"; empty: a pure number, or no number
  std::string_view definition;  ///< one plain sentence
  std::string_view needs = "";  ///< name of the metric without which the definition says nothing
  Kind kind = Kind::number;
  bool nullable = false;          ///< whether the value may be null in a row of results.json
  std::string_view json = "";     ///< JSON pointer in a row of results.json; empty: not there
  std::string_view element = "";  ///< JSON Schema of an element of a Kind::list in the row
  CsvColumn csv{};
  TextColumn column{};
  bool glossary = false;  ///< whether the page's glossary has it
  /// Returns the value in the metric's unit; null where the row has none. Absent for a
  /// Kind::object.
  nlohmann::json (*value)(const Subject& subject) = nullptr;
};

}  // namespace gradwire::report
