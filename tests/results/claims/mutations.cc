#include "tests/results/claims/mutations.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::claims::testing {
namespace {

constexpr double kTimes = 1.5;
/// Of what allows nothing at all.
constexpr double kLeast = 1e-5;

/// How far the value of a check may move before it fails, as a share of the value; 0 for a count or a
/// fact.
double reach_of(const Check& check) {
  if (check.relation == Relation::near) return check.tolerance;
  return check.relation == Relation::less ? check.expected.value / check.value - 1 : 0;
}

/// Says whether there was anything to change.
using Change = std::function<bool(record::Row& row)>;

bool scale_gst(record::Row& row, double factor) {
  row.gst.median *= factor;
  return true;
}

bool scale_iteration(record::Row& row, double factor) {
  if (row.training) row.training->iteration.median *= factor;
  return row.training.has_value();
}

bool scale_products(record::Row& row, double factor) {
  if (row.dense) row.dense->products *= factor;
  return row.dense.has_value();
}

/// What moves a time by as much as the check allows, and half as much again.
std::vector<Change> changes_of_times(const Check& check) {
  const double factor = 1 + std::max(kTimes * reach_of(check), kLeast);
  std::vector<Change> changes;
  for (const double by : {factor, 1 / factor}) {
    changes.emplace_back([by](record::Row& row) { return scale_iteration(row, by); });
    changes.emplace_back([by](record::Row& row) { return scale_gst(row, by); });
    changes.emplace_back([by](record::Row& row) { return scale_products(row, by); });
  }
  return changes;
}

/// What makes a count another one.
std::vector<Change> changes_of_counts(const Check& check) {
  std::vector<Change> changes;
  changes.emplace_back([](record::Row& row) {
    if (row.training) row.training->bucket_gst.emplace_back();
    return row.training.has_value();
  });
  changes.emplace_back([](record::Row& row) {
    row.configuration.ranks += 1;
    return true;
  });
  for (const std::string_view flag : {record::kFlagBytesOffPlan, record::kFlagDiverged}) {
    changes.emplace_back([flag](record::Row& row) {
      row.flags.emplace_back(flag);
      return true;
    });
  }
  if (check.name.find("wrong") != std::string::npos) {
    changes.emplace_back([](record::Row& row) {
      row.wrong = 1;
      return true;
    });
  }
  return changes;
}

bool is_used(const Source& source, const record::Row& row) {
  const std::string name = record::point_name(row.configuration);
  return row.configuration.backing == source.backing &&
         std::ranges::any_of(source.rows, [&](const UsedRow& used) {
           return used.key == row.key && used.name == name;
         });
}

/// A claim on stored runs of which one row is changed at a time.
class Bench {
 public:
  Bench(const Claim& claim, const Runs& runs) : claim_(claim), right_(runs), runs_(runs) {}

  /// Whether some change of some row of these sources makes check number `index` fail, and with it
  /// the claim.
  [[nodiscard]] bool some_change_flips(const Finding& finding, std::size_t index) {
    const Check& check = finding.checks[index];
    const auto backing =
        check.column == Column::simulated ? record::Backing::simulated : record::Backing::emulated;
    const auto changes =
        check.relation == Relation::count ? changes_of_counts(check) : changes_of_times(check);
    return std::ranges::any_of(finding.sources, [&](const Source& source) {
      return source.backing == backing && flips(source, changes, index);
    });
  }

 private:
  bool flips(const Source& source, const std::vector<Change>& changes, std::size_t index) {
    const Run& run = right_.all().at(source.experiment);
    bool flipped = false;
    for (std::size_t row = 0; row < run.rows.size() && !flipped; ++row) {
      if (!is_used(source, run.rows[row])) continue;
      flipped = std::ranges::any_of(changes, [&](const Change& change) {
        Run other = run;
        if (!change(other.rows[row])) return false;
        runs_.add(std::move(other));
        const Finding finding = judge(claim_, runs_);
        return finding.verdict.outcome == Outcome::contradicted && finding.checks.at(index).fails();
      });
    }
    runs_.add(run);
    return flipped;
  }

  const Claim& claim_;
  const Runs& right_;
  Runs runs_;
};

/// Whether the verdict hangs on the check: drawn once more with the check's value moved.
bool weighs(Finding finding, std::size_t index) {
  Check& check = finding.checks[index];
  const double value = check.value;
  const double by = std::max(kTimes * reach_of(check), kLeast);
  for (const double sign : {1.0, -1.0}) {
    check.value = value * (1 + sign * by);
    if (check.relation == Relation::count) check.value = value + 1;
    if (check.relation == Relation::holds) check.value = 1 - value;
    if (verdict_of(finding).outcome == Outcome::contradicted) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> checks_that_do_not_flip(const Claim& claim, const Runs& runs) {
  const Finding finding = judge(claim, runs);
  std::vector<std::string> silent;
  Bench bench(claim, runs);
  for (std::size_t i = 0; i < finding.checks.size(); ++i) {
    const Check& check = finding.checks[i];
    if (check.column == Column::theory || !check.is_judged || check.is_refused) continue;
    if (bench.some_change_flips(finding, i)) continue;
    silent.push_back(fmt::format("claim {}: {}", claim.number, check.name));
  }
  return silent;
}

std::vector<std::string> theory_checks_without_weight(const Claim& claim, const Runs& runs) {
  const Finding finding = judge(claim, runs);
  std::vector<std::string> silent;
  for (std::size_t i = 0; i < finding.checks.size(); ++i) {
    const Check& check = finding.checks[i];
    if (check.column != Column::theory || !check.is_judged || weighs(finding, i)) continue;
    silent.push_back(fmt::format("claim {}: {}", claim.number, check.name));
  }
  return silent;
}

}  // namespace gradwire::claims::testing
