#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reproduce/claim.h"
#include "reproduce/runs.h"
#include "results/record/row.h"

/// What is held against a claim, and the verdict that follows from it: reproduced where nothing is
/// off by more than 0.5 % in theory, 1 % simulated, 3 % measured; "within X %" where a claim allows
/// more; contradicted beyond what it allows.
namespace gradwire::reproduce {

enum class Column : std::uint8_t { theory, simulated, measured };
inline constexpr std::size_t kColumns = 3;

/// Where a claim says its numbers: one column of it.
class Entry {
 public:
  /// Shows a text, once, without judging it.
  void say(const std::string& text);
  /// Shows `value` as `format` (of fmt) has it, and holds it against `expected`: off by more than
  /// `tolerance` (a share of expected; by default 0.1 % in theory, 1 % simulated, 5 % measured) it
  /// contradicts.
  void number(std::string_view format, double value, double expected,
              std::optional<double> tolerance = std::nullopt);
  /// The same without showing it, unless it is off.
  void agrees(std::string_view name, double value, double expected,
              std::optional<double> tolerance = std::nullopt);
  /// Shows a text that must be true.
  void holds(bool is_true, const std::string& text);

 private:
  friend class Evidence;
  /// `strictness`: the column whose tolerances hold.
  Entry(class Evidence& evidence, Column column, Column strictness)
      : evidence_(&evidence), column_(column), strictness_(strictness) {}
  /// Counts the deviation; the text to show when it is too large.
  [[nodiscard]] std::optional<std::string> judge(double value, double expected,
                                                 std::optional<double> tolerance);

  class Evidence* evidence_;
  Column column_;
  Column strictness_;
};

/// A claim's evidence, column by column.
class Evidence {
 public:
  /// `published`: what the paper says, as the table shows it.
  explicit Evidence(std::string published) : published_(std::move(published)) {}

  using FromRuns = std::function<void(const Rows& rows, Entry in)>;

  [[nodiscard]] Entry theory() { return {*this, Column::theory, Column::theory}; }
  /// Numbers from an experiment's simulated or emulated rows (what was simulated after an emulation
  /// is of links as that found them, and held against a claim as what was measured is). When a row
  /// is missing the column says so, and the verdict; wrong sums in a row that was used contradict.
  void simulated(const Runs& runs, std::string_view experiment, const FromRuns& fill);
  void measured(const Runs& runs, std::string_view experiment, const FromRuns& fill);
  /// Both, one after the other.
  void both(const Runs& runs, std::string_view experiment, const FromRuns& fill);

  /// At best, it is reproduced in part. `what` is left out, assumed or different.
  void partly(std::string what);
  /// It does not hold, as others have found; the checks are for what holds instead.
  void differs(std::string why);
  /// What it is about is not to be had here.
  void not_here(std::string why);

  [[nodiscard]] Finding finish() const;

 private:
  friend class Entry;

  void from_runs(Column column, const Rows& rows, const FromRuns& fill);
  [[nodiscard]] std::string text_of(Column column) const;
  [[nodiscard]] Verdict verdict() const;

  std::string published_;
  std::vector<std::string> texts_[kColumns];
  std::vector<std::string> contradictions_;
  std::vector<std::string> missing_;  ///< runs
  std::vector<std::string> flags_;    ///< of measured rows
  double deviation_ = 0;              ///< the largest beyond what is called reproduced
  std::optional<Verdict> at_best_;
};

/// What a paper prints (results/reference/): "18.7-56.4 %", "2*(N-1)/N T_F".
[[nodiscard]] std::string printed(std::string_view id);
/// A published number; of a range or sequence, item `index`.
[[nodiscard]] double number_of(std::string_view id, std::size_t index = 0);
/// How many a sequence has.
[[nodiscard]] std::size_t count_of(std::string_view id);

}  // namespace gradwire::reproduce
