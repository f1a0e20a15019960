#include "reproduce/evidence.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/report/page/references.h"

namespace gradwire::reproduce {
namespace {

constexpr std::string_view kNothing = "-";

/// Shares of what is expected.
struct Tolerance {
  double reproduced;
  double otherwise;  ///< where a claim names none
};

Tolerance tolerance_of(Column column) {
  switch (column) {
    case Column::theory:
      return {0.005, 0.001};
    case Column::simulated:
      return {0.01, 0.01};
    case Column::measured:
      return {0.03, 0.05};
  }
  throw_bug("evidence stands in a Column");
}

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

}  // namespace

void Entry::say(const std::string& text) {
  add_once(evidence_->texts_[static_cast<std::size_t>(column_)], text);
}

std::optional<std::string> Entry::judge(double value, double expected,
                                        std::optional<double> tolerance) {
  const double off = expected == 0 ? std::abs(value) : std::abs(value / expected - 1);
  const Tolerance usual = tolerance_of(strictness_);
  if (off <= tolerance.value_or(usual.otherwise)) {
    if (off > usual.reproduced) evidence_->deviation_ = std::max(evidence_->deviation_, off);
    return std::nullopt;
  }
  return fmt::format("{:.4g} where {:.4g} is expected", value, expected);
}

void Entry::number(std::string_view format, double value, double expected,
                   std::optional<double> tolerance) {
  std::string text = fmt::format(fmt::runtime(format), value);
  if (const auto wrong = judge(value, expected, tolerance)) {
    evidence_->contradictions_.push_back(text + ": " + *wrong);
    text += " (!)";
  }
  evidence_->texts_[static_cast<std::size_t>(column_)].push_back(std::move(text));
}

void Entry::agrees(std::string_view name, double value, double expected,
                   std::optional<double> tolerance) {
  if (const auto wrong = judge(value, expected, tolerance)) {
    evidence_->contradictions_.push_back(fmt::format("{}: {}", name, *wrong));
    say(fmt::format("{} {:.4g} (!)", name, value));
  }
}

void Entry::holds(bool is_true, const std::string& text) {
  if (!is_true) evidence_->contradictions_.push_back("not so: " + text);
  say(is_true ? text : "NOT " + text + " (!)");
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
  Entry in(*this, column, rows.is_also_emulated() ? Column::measured : column);
  try {
    fill(rows, in);
  } catch (const NotRun& missing) {
    in.say("not run");
    add_once(missing_, missing.what());
  }
  for (const record::Row* row : rows.used()) {
    if (row->wrong.value_or(0) != 0) in.holds(false, "sums are right");
    if (column != Column::measured) continue;
    for (const std::string& flag : record::row_flags(*row)) add_once(flags_, flag);
  }
}

void Evidence::partly(std::string what) {
  at_best_ = Verdict{Outcome::partly, "partly: " + std::move(what)};
}

void Evidence::differs(std::string why) {
  at_best_ = Verdict{Outcome::differs, "differs: " + std::move(why)};
}

void Evidence::not_here(std::string why) {
  at_best_ = Verdict{Outcome::not_here, "not here: " + std::move(why)};
}

std::string Evidence::text_of(Column column) const {
  const auto& texts = texts_[static_cast<std::size_t>(column)];
  if (texts.empty()) return std::string(kNothing);
  std::string text = fmt::format("{}", fmt::join(texts, "; "));
  if (column == Column::measured && !flags_.empty()) {
    text += fmt::format(" [{}]", fmt::join(flags_, ", "));
  }
  return text;
}

Verdict Evidence::verdict() const {
  if (!contradictions_.empty()) {
    return {Outcome::contradicted, "CONTRADICTED: " + contradictions_.front()};
  }
  Verdict verdict = at_best_.value_or(Verdict{Outcome::reproduced, "reproduced"});
  if (!at_best_ && deviation_ > 0) {
    const auto percent = static_cast<int>(std::ceil(deviation_ * 100));
    verdict = {Outcome::close, fmt::format("within {} %", percent)};
  }
  if (missing_.empty() || verdict.outcome == Outcome::not_here) return verdict;
  return {Outcome::not_run,
          fmt::format("not run: {}; so far: {}", fmt::join(missing_, ", "), verdict.text)};
}

Finding Evidence::finish() const {
  return {.published = published_,
          .theory = text_of(Column::theory),
          .simulated = text_of(Column::simulated),
          .measured = text_of(Column::measured),
          .verdict = verdict()};
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
  return value.is_array() ? value.at(index).get<double>() : value.get<double>();
}

std::size_t count_of(std::string_view id) {
  return report::published(id).value.size();
}

}  // namespace gradwire::reproduce
