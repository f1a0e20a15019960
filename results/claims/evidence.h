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

/// Collection of what is held against a claim. verdict_of() says what follows from it.
namespace gradwire::claims {

/// A way in which a number, an order or a fact is held and shown.
struct CheckKind {
  std::string_view name;  ///< in claims.yaml
  Relation relation;
  bool is_shown = true;   ///< false: only where it fails
  bool is_judged = true;  ///< false: it is known to differ, and never contradicts
};

inline constexpr CheckKind kCheckKinds[] = {
    {"number", Relation::near},
    {"agrees", Relation::near, false},
    {"beside", Relation::near, true, false},
    {"count", Relation::count},
    {"counts", Relation::count, false},
    {"less", Relation::less},
    {"holds", Relation::holds},
};

/// One column of a claim, in which it says its numbers.
class Entry {
 public:
  /// Shows a text, once, without judging it.
  void say(const std::string& text);
  /// Holds `value` against `expected` by the kind of this name, of which there must be one, and shows
  /// it as `text`, a number with its deviation. A number that is off by more than `tolerance` (a share; by default usual_tolerance()), another count, an
  /// order the other way round, and a fact whose value is not 1 contradict. Flags of times do not
  /// count against counts and facts.
  void check(std::string_view kind, const std::string& text, double value, Expected expected,
             std::optional<double> tolerance = std::nullopt);

 private:
  friend class Evidence;
  /// `strictness`: the column whose tolerances hold. `rows`: those of a run, or null.
  Entry(class Evidence& evidence, Column column, Column strictness, const Rows* rows)
      : evidence_(&evidence), column_(column), strictness_(strictness), rows_(rows) {}
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

  /// Names a free parameter: what was fitted, or assumed, for want of a published value.
  void fitted(std::string what) { finding_.fitted.push_back(std::move(what)); }

  /// Says what the claim says of itself: that it holds only partly, differs and by which most likely
  /// cause, is a prediction, an identity, an input, or impossible here.
  void state(Outcome outcome, std::string why) { finding_.stated = {outcome, std::move(why)}; }

  [[nodiscard]] Finding finish();

 private:
  friend class Entry;

  void from_runs(Column column, const Rows& rows, const FromRuns& fill);
  void keep_source(const Rows& rows);
  /// The source that keeps rows of this run, backing and trust; made where there is none.
  [[nodiscard]] Source& source_of(const Rows& rows);
  [[nodiscard]] std::string text_of(Column column) const;

  Finding finding_;
  std::vector<std::string> texts_[kColumns];
};

}  // namespace gradwire::claims
