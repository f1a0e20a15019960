#include "results/claims/evidence.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "results/claims/verdict.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"
#include "results/report/page/references.h"

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

NumbersInstead::Instead& numbers_instead() {
  static NumbersInstead::Instead instead;
  return instead;
}

/// "(+0.3 %)"; of a number that is not the paper's, " from ours".
std::string deviation_of(const Check& check) {
  const char* const whose = check.expected.is_published ? "" : " from ours";
  return fmt::format("({:+.1f} %{})", 100 * check.deviation(), whose);
}

}  // namespace

Check Entry::blank(Relation relation, std::string_view name) const {
  Check check;
  check.column = column_;
  check.strictness = strictness_;
  check.relation = relation;
  check.name = name;
  check.is_refused = rows_ != nullptr && is_a_time(check) && is_spoiled(*rows_);
  return check;
}

void Entry::show(const Check& check, const std::string& text) {
  evidence_->finding_.checks.push_back(check);
  say(check.fails() ? text + " (!)" : text);
}

void Entry::keep_quiet(const Check& check) {
  evidence_->finding_.checks.push_back(check);
  if (check.fails()) say(fmt::format("{} {:.4g} (!)", check.name, check.value));
}

void Entry::say(const std::string& text) {
  add_once(evidence_->texts_[static_cast<std::size_t>(column_)], text);
}

void Entry::number(std::string_view format, double value, Expected expected,
                   std::optional<double> tolerance) {
  const std::string text = fmt::format(fmt::runtime(format), value);
  Check check = blank(Relation::near, text);
  check.value = value;
  check.expected = expected;
  check.tolerance = tolerance.value_or(usual_tolerance(strictness_));
  show(check, text + " " + deviation_of(check));
}

void Entry::agrees(std::string_view name, double value, Expected expected,
                   std::optional<double> tolerance) {
  Check check = blank(Relation::near, name);
  check.value = value;
  check.expected = expected;
  check.tolerance = tolerance.value_or(usual_tolerance(strictness_));
  keep_quiet(check);
}

void Entry::beside(std::string_view format, double value, Expected expected) {
  const std::string text = fmt::format(fmt::runtime(format), value);
  Check check = blank(Relation::near, text);
  check.value = value;
  check.expected = expected;
  check.is_judged = false;
  show(check, text + " " + deviation_of(check));
}

void Entry::count(std::string_view format, double value, Expected expected) {
  Check check = blank(Relation::count, fmt::format(fmt::runtime(format), value));
  check.value = value;
  check.expected = expected;
  show(check, check.name);
}

void Entry::counts(std::string_view name, double value, Expected expected) {
  Check check = blank(Relation::count, name);
  check.value = value;
  check.expected = expected;
  keep_quiet(check);
}

void Entry::less(const std::string& text, double smaller, double larger, bool is_published) {
  Check check = blank(Relation::less, text);
  check.value = smaller;
  check.expected = {larger, is_published};
  show(check, text);
}

void Entry::holds(bool is_true, const std::string& text, bool is_published) {
  Check check = blank(Relation::holds, text);
  check.value = is_true ? 1 : 0;
  check.expected = {1, is_published};
  show(check, is_true ? text : "NOT " + text);
}

void Evidence::simulated(const Runs& runs, std::string_view experiment, const FromRuns& fill) {
  from_runs(Column::simulated, runs.rows(experiment, record::Backing::simulated), fill);
}

void Evidence::measured(const Runs& runs, std::string_view experiment, const FromRuns& fill) {
  from_runs(Column::measured, runs.rows(experiment, record::Backing::emulated), fill);
}

void Evidence::both(const Runs& runs, std::string_view experiment, const FromRuns& fill) {
  simulated(runs, experiment, fill);
  measured(runs, experiment, fill);
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
    if (row->wrong.value_or(0) != 0) in.holds(false, "sums are right");
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

std::string printed(std::string_view id) {
  const report::PublishedNumber& number = report::published(id);
  const nlohmann::json& value = number.value;
  const auto show = [](const nlohmann::json& one) {
    return one.is_number() ? fmt::format("{:.6g}", one.get<double>()) : one.dump();
  };
  std::vector<std::string> parts;
  if (value.is_string()) parts.push_back(value.get<std::string>());
  if (value.is_number()) parts.push_back(show(value));
  if (value.is_array()) {
    for (const nlohmann::json& item : value) parts.push_back(show(item));
  }
  return fmt::format("{} {}", fmt::join(parts, number.kind == "range" ? "-" : ", "), number.unit);
}

double number_of(std::string_view id, std::size_t index) {
  const nlohmann::json& value = report::published(id).value;
  const auto number = value.is_array() ? value.at(index).get<double>() : value.get<double>();
  return numbers_instead() ? numbers_instead()(id, index, number) : number;
}

Expected paper(std::string_view id, std::size_t index) {
  return paper(number_of(id, index));
}

std::size_t count_of(std::string_view id) {
  return report::published(id).value.size();
}

NumbersInstead::NumbersInstead(Instead instead) {
  ensure(!numbers_instead(), "one NumbersInstead lives at a time");
  numbers_instead() = std::move(instead);
}

NumbersInstead::~NumbersInstead() {
  numbers_instead() = nullptr;
}

}  // namespace gradwire::claims
