#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/claims/claim.h"
#include "results/claims/runs.h"

/// What is held against a claim. verdict.h says what follows from it.
namespace gradwire::claims {

/// Where a claim says its numbers: one column of it.
class Entry {
 public:
  /// Shows a text, once, without judging it.
  void say(const std::string& text);
  /// Shows `value` as `format` (of fmt) has it, with its deviation, and holds it against
  /// `expected`: off by more than `tolerance` (a share; by default usual_tolerance()) it
  /// contradicts.
  void number(std::string_view format, double value, Expected expected,
              std::optional<double> tolerance = std::nullopt);
  /// The same without showing it, unless it is off.
  void agrees(std::string_view name, double value, Expected expected,
              std::optional<double> tolerance = std::nullopt);
  /// Shows a number beside the printed one from which it is known to differ, with its deviation.
  /// It never contradicts.
  void beside(std::string_view format, double value, Expected expected);
  /// A whole number, shown, that must be what is expected. Flags of times do not count against it.
  void count(std::string_view format, double value, Expected expected);
  /// The same without showing it, unless it is off.
  void counts(std::string_view name, double value, Expected expected);
  /// Shows a text that is true if `smaller` is less than `larger`. `is_published`: the paper says
  /// so, too.
  void less(const std::string& text, double smaller, double larger, bool is_published = true);
  /// Shows a text that must be true. `is_published`: the paper says so, too.
  void holds(bool is_true, const std::string& text, bool is_published = true);

 private:
  friend class Evidence;
  /// `strictness`: the column whose tolerances hold. `rows`: those of a run, or null.
  Entry(class Evidence& evidence, Column column, Column strictness, const Rows* rows)
      : evidence_(&evidence), column_(column), strictness_(strictness), rows_(rows) {}
  /// A check of this column, of which nothing is set but what column and rows say.
  [[nodiscard]] Check blank(Relation relation, std::string_view name) const;
  void show(const Check& check, const std::string& text);
  void keep_quiet(const Check& check);

  class Evidence* evidence_;
  Column column_;
  Column strictness_;
  const Rows* rows_;
};

/// A claim's evidence, column by column.
class Evidence {
 public:
  /// `published`: what the paper says, as the table shows it.
  explicit Evidence(std::string published) { finding_.published = std::move(published); }

  using FromRuns = std::function<void(const Rows& rows, Entry in)>;

  [[nodiscard]] Entry theory() { return {*this, Column::theory, Column::theory, nullptr}; }
  /// Numbers from an experiment's simulated or emulated rows (what was simulated after an emulation
  /// is of links as that found them, and held against a claim as what was measured is). When a row
  /// is missing the column says so, and the verdict; wrong sums in a row that was used contradict.
  /// Where a row that was used has a flag that spoils its time (record::spoils), times and orders
  /// of this call are shown and refused as evidence; counts and sums stand.
  void simulated(const Runs& runs, std::string_view experiment, const FromRuns& fill);
  void measured(const Runs& runs, std::string_view experiment, const FromRuns& fill);
  /// Both, one after the other.
  void both(const Runs& runs, std::string_view experiment, const FromRuns& fill);

  /// Names a free parameter: what was fitted, or assumed, for want of a published value.
  void fitted(std::string what) { finding_.fitted.push_back(std::move(what)); }

  /// It holds for what could be looked at. `what` is left out, assumed or different.
  void partly(std::string what) { state(Outcome::partly, std::move(what)); }
  /// Its published numbers are others here. `why`: the most likely cause.
  void differs(std::string why) { state(Outcome::differs, std::move(why)); }
  /// The paper prints no value; `what` stands alone.
  void prediction(std::string what) { state(Outcome::prediction, std::move(what)); }
  /// It is true by definition, or by arithmetic on what is printed.
  void identity(std::string why) { state(Outcome::identity, std::move(why)); }
  /// Its numbers are what runs are given.
  void input(std::string why) { state(Outcome::input, std::move(why)); }

  [[nodiscard]] Finding finish();

 private:
  friend class Entry;

  void state(Outcome outcome, std::string why) { finding_.stated = {outcome, std::move(why)}; }
  void from_runs(Column column, const Rows& rows, const FromRuns& fill);
  void keep_source(const Rows& rows);
  /// Where rows of this run, backing and trust are kept; made where there is none.
  [[nodiscard]] Source& source_of(const Rows& rows);
  [[nodiscard]] std::string text_of(Column column) const;

  Finding finding_;
  std::vector<std::string> texts_[kColumns];
};

/// What a paper prints (results/reference/): "18.7-56.4 %", "2*(N-1)/N T_F".
[[nodiscard]] std::string printed(std::string_view id);
/// A published number; of a range or sequence, item `index`.
[[nodiscard]] double number_of(std::string_view id, std::size_t index = 0);
/// The same, for a number to be held against it.
[[nodiscard]] Expected paper(std::string_view id, std::size_t index = 0);
/// How many a sequence has.
[[nodiscard]] std::size_t count_of(std::string_view id);

/// While it lives, number_of() and paper() return what `instead` makes of the printed number. Tests
/// learn by it which printed numbers a claim rests on, and move them. At most one lives at a time,
/// and claims are judged by its thread alone.
class NumbersInstead {
 public:
  using Instead = std::function<double(std::string_view id, std::size_t index, double printed)>;

  explicit NumbersInstead(Instead instead);
  ~NumbersInstead();
  NumbersInstead(const NumbersInstead&) = delete;
  NumbersInstead& operator=(const NumbersInstead&) = delete;
};

}  // namespace gradwire::claims
