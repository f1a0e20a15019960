#include "results/claims/evidence.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::claims {
namespace {

constexpr std::string_view kNothing = "-";

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

bool is_spoiled(const record::Row& row) {
  return std::ranges::any_of(row.flags, record::spoils);
}

/// Whether times of these rows are not to be used.
bool is_spoiled(const Rows& rows) {
  return std::ranges::any_of(rows.used(), [](const record::Row* row) { return is_spoiled(*row); });
}

bool is_a_time(const Check& check) {
  return check.relation == Relation::near || check.relation == Relation::less;
}

/// "(+0.3 %)"; of a number that is not the paper's, " from ours".
std::string deviation_of(const Check& check) {
  const char* const whose = check.expected.is_published ? "" : " from ours";
  return fmt::format("({:+.1f} %{})", 100 * check.deviation(), whose);
}

}  // namespace

void Entry::say(const std::string& text) {
  add_once(evidence_->texts_[static_cast<std::size_t>(column_)], text);
}

void Entry::check(std::string_view name, const std::string& text, double value, Expected expected,
                  std::optional<double> tolerance) {
  const auto* const found = std::ranges::find(kCheckKinds, name, &CheckKind::name);
  ensure(found != std::end(kCheckKinds), "a kind of check has a name");
  const CheckKind& kind = *found;
  Check check{.column = column_,
              .strictness = strictness_,
              .relation = kind.relation,
              .name = text,
              .value = value,
              .expected = expected,
              .tolerance = 0,
              .is_judged = kind.is_judged};
  const bool is_near = kind.relation == Relation::near;
  if (is_near && kind.is_judged) {
    check.tolerance = tolerance.value_or(usual_tolerance(strictness_));
  }
  check.is_refused = rows_ != nullptr && is_a_time(check) && is_spoiled(*rows_);
  const std::string mark = check.fails() ? " (!)" : "";
  if (!kind.is_shown) {
    if (check.fails()) say(fmt::format("{} {:.4g}{}", text, value, mark));
  } else if (is_near) {
    say(fmt::format("{} {}{}", text, deviation_of(check), mark));
  } else {
    const bool is_untrue = kind.relation == Relation::holds && value != 1;
    say((is_untrue ? "NOT " : "") + text + mark);
  }
  evidence_->finding_.checks.push_back(std::move(check));
}

void Evidence::simulated(const Runs& runs, std::string_view experiment, const FromRuns& fill) {
  from_runs(Column::simulated, runs.rows(experiment, record::Backing::simulated), fill);
}

void Evidence::measured(const Runs& runs, std::string_view experiment, const FromRuns& fill) {
  from_runs(Column::measured, runs.rows(experiment, record::Backing::emulated), fill);
}

void Evidence::from_runs(Column column, const Rows& rows, const FromRuns& fill) {
  Entry in(*this, column, rows.is_also_emulated() ? Column::measured : column, &rows);
  const std::size_t before = finding_.checks.size();
  try {
    fill(rows, in);
  } catch (const NotRun& missing) {
    in.say("not run");
    add_once(finding_.missing, missing.what());
  }
  for (const record::Row* row : rows.used()) {
    if (row->wrong.value_or(0) != 0) in.check("holds", "sums are right", 0, paper(1));
  }
  if (is_spoiled(rows)) {
    for (std::size_t i = before; i < finding_.checks.size(); ++i) {
      finding_.checks[i].is_refused = is_a_time(finding_.checks[i]);
    }
  }
  keep_source(rows);
}

void Evidence::keep_source(const Rows& rows) {
  if (rows.used().empty()) return;
  Source& source = source_of(rows);
  for (const record::Row* row : rows.used()) {
    UsedRow used{.key = row->key,
                 .name = record::point_name(row->configuration),
                 .flags = record::row_flags(*row)};
    if (std::ranges::find(source.rows, used) == source.rows.end()) {
      source.rows.push_back(std::move(used));
    }
  }
}

Source& Evidence::source_of(const Rows& rows) {
  const bool is_refused = is_spoiled(rows);
  const auto found = std::ranges::find_if(finding_.sources, [&](const Source& source) {
    return source.experiment == rows.experiment() && source.backing == rows.backing() &&
           source.is_refused == is_refused;
  });
  if (found != finding_.sources.end()) return *found;
  return finding_.sources.emplace_back(Source{.experiment = rows.experiment(),
                                              .backing = rows.backing(),
                                              .rows = {},
                                              .is_refused = is_refused});
}

std::string Evidence::text_of(Column column) const {
  const auto& texts = texts_[static_cast<std::size_t>(column)];
  if (texts.empty()) return std::string(kNothing);
  return fmt::format("{}", fmt::join(texts, "; "));
}

Finding Evidence::finish() {
  finding_.theory = text_of(Column::theory);
  finding_.simulated = text_of(Column::simulated);
  finding_.measured = text_of(Column::measured);
  finding_.verdict = verdict_of(finding_);
  return finding_;
}

}  // namespace gradwire::claims
