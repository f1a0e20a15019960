#pragma once

#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// What a metric is read from: a row, and its run where one is at hand.
struct Subject {
  const record::Row& row;
  const record::StoredRun* run = nullptr;
};

/// The type of a metric's values.
enum class Kind : std::uint8_t {
  text,      ///< a string
  count,     ///< an integer from 0 on
  positive,  ///< an integer from 1 on
  number,    ///< a real number
  list,      ///< an array; Metric::element says of what
  object,    ///< a JSON object that holds other metrics; it has no value of its own
};

/// Whether a form shows a metric, and where.
struct Place {
  bool shown = false;
  std::string_view after = "";  ///< name of the metric before it; empty: in the order of metrics()
};

/// Shown where metrics() has it.
inline constexpr Place kShown{.shown = true};

/// Shown right after another metric.
[[nodiscard]] constexpr Place shown_after(std::string_view name) {
  return {.shown = true, .after = name};
}

/// A column of the CSV.
struct CsvColumn {
  std::string_view name = "";   ///< empty: not in the CSV
  std::string_view after = "";  ///< as Place::after
};

/// The rows whose default table has a column: by kind, as what answers their question differs.
struct Brief {
  bool plain = false;     ///< of a synchronization
  bool training = false;  ///< of a training job
  bool dense = false;     ///< of fully connected layers whose products were formed
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
  std::string_view format = "{:.1f}";  ///< of a Kind::number
  double factor = 1;                   ///< a Kind::number is shown times this
};

/// One quantity of a row: what it is, how it is found, and where it is shown.
struct Metric {
  std::string_view name;        ///< as people call it; no other metric has it
  std::string_view unit = "";   ///< "us", "B", "GB/s", "%"; empty: a pure number, or no number
  std::string_view definition;  ///< one plain sentence
  std::string_view needs = "";  ///< name of the metric without which the definition says nothing
  Kind kind = Kind::number;
  bool nullable = false;          ///< whether the value may be null in a row of results.json
  std::string_view json = "";     ///< JSON pointer in a row of results.json; empty: not there
  std::string_view element = "";  ///< of a Kind::list in the row: the JSON Schema of an element
  CsvColumn csv{};
  TextColumn column{};
  bool glossary = false;  ///< whether the page's glossary has it
  /// Its value in its unit; null where the row has none. Absent for a Kind::object.
  nlohmann::json (*value)(const Subject& subject) = nullptr;
};

}  // namespace gradwire::report
