#include "results/report/compare/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/name_table.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"
#include "results/record/statistics.h"
#include "results/report/junit.h"

namespace gradwire::report {
namespace {

constexpr NameTable<Verdict, 4> kVerdicts({{"same", Verdict::same},
                                           {"faster", Verdict::faster},
                                           {"slower", Verdict::slower},
                                           {"-", Verdict::untested}});

struct Match {
  const record::StoredPoint* a;
  const record::StoredPoint* b;
};

bool same_key(const record::StoredPoint& a, const record::StoredPoint& b) {
  return a.record.key == b.record.key && a.row.configuration.backing == b.row.configuration.backing;
}

/// Whether two points have the same configuration. Hosts, ports and type follow from the rest;
/// where they differ all the same (a graph's file was changed), the pair is refused by name.
bool same_configuration(const record::StoredPoint& a, const record::StoredPoint& b) {
  using enum record::Field;
  return record::same_but_for({point, ranks, ports_per_host, type}, a.row.configuration,
                              b.row.configuration);
}

/// Matching of points: some wait for a partner, others have one; in A's order in the end.
class Matching {
 public:
  Matching(const record::StoredRun& a, const record::StoredRun& b) {
    for (const record::StoredPoint& point : a.points) free_a_.push_back(&point);
    for (const record::StoredPoint& point : b.points) free_b_.push_back(&point);
    pair_up(same_key);
    pair_up(same_configuration);
    std::ranges::sort(matches_, std::less<>(), &Match::a);  // both are places in a.points
  }

  [[nodiscard]] const std::vector<Match>& matches() const { return matches_; }
  [[nodiscard]] std::vector<record::Configuration> only_a() const {
    return configurations(free_a_);
  }
  [[nodiscard]] std::vector<record::Configuration> only_b() const {
    return configurations(free_b_);
  }

 private:
  using Points = std::vector<const record::StoredPoint*>;

  template <class Same>
  void pair_up(Same same) {
    std::erase_if(free_a_, [&](const record::StoredPoint* a) {
      const auto b = std::ranges::find_if(
          free_b_, [&](const auto* candidate) { return same(*a, *candidate); });
      if (b == free_b_.end()) return false;
      matches_.push_back({a, *b});
      free_b_.erase(b);
      return true;
    });
  }

  static std::vector<record::Configuration> configurations(const Points& points) {
    std::vector<record::Configuration> found;
    for (const record::StoredPoint* point : points) found.push_back(point->row.configuration);
    return found;
  }

  Points free_a_;
  Points free_b_;
  std::vector<Match> matches_;
};

PointComparison compare_points(const Match& match) {
  const auto& [a, b] = match;
  PointComparison point{.configuration = a->row.configuration,
                        .gst = contrast(a->gst, b->gst),
                        .flags_a = record::row_flags(a->row),
                        .flags_b = record::row_flags(b->row),
                        .row_a = &a->row,
                        .row_b = &b->row,
                        .wrong = a->row.wrong.value_or(0) + b->row.wrong.value_or(0),
                        .measured = measured_time(b->row)};
  if (!a->iterations.empty() && !b->iterations.empty()) {
    point.iteration = contrast(a->iterations, b->iterations);
  }
  return point;
}

/// Collector of the differences of the two sides of a match.
class PointDifferences {
 public:
  PointDifferences(const Match& match, std::vector<Difference>& differences)
      : match_(match),
        name_(record::point_name(match.a->row.configuration)),
        differences_(differences) {}

  template <class Value>
  void check(Severity severity, const char* what, Value value) {
    const auto a = value(*match_.a);
    const auto b = value(*match_.b);
    if (a != b) add(severity, what, fmt::format("{}", a), fmt::format("{}", b));
  }

  void add(Severity severity, const char* what, std::string a, std::string b) {
    add_point_difference(differences_,
                         {.severity = severity, .what = what, .a = std::move(a), .b = std::move(b)},
                         name_);
  }

 private:
  const Match& match_;
  std::string name_;
  std::vector<Difference>& differences_;
};

std::string shown_bound(const record::StoredPoint& point) {
  // Of a training job the buckets decide, and those follow from measured costs. A row's bound
  // follows from when its ranks started.
  if (point.row.training || !point.record.bound) return "none";
  return fmt::format("{:.3f} us", point.record.bound->count() * 1e6);
}

void add_differences(const Match& match, std::vector<Difference>& differences) {
  PointDifferences found(match, differences);
  using enum Severity;
  found.check(refuse, "dilation", [](const record::StoredPoint& p) { return p.row.dilation; });
  found.check(refuse, "N", [](const record::StoredPoint& p) { return p.row.configuration.ranks; });
  found.check(refuse, "k",
              [](const record::StoredPoint& p) { return p.row.configuration.ports_per_host; });
  found.check(refuse, "type",
              [](const record::StoredPoint& p) { return to_string(p.row.configuration.type); });
  found.check(refuse, "memory",
              [](const record::StoredPoint& p) { return to_string(p.row.configuration.memory); });
  found.check(refuse, "profile", [](const record::StoredPoint& p) {
    return p.row.training ? p.row.training->plan.profile : std::string("none");
  });
  found.check(warn, "warm-up", [](const record::StoredPoint& p) { return p.record.warmup; });
  found.check(warn, "iterations", [](const record::StoredPoint& p) { return p.record.iterations; });
  found.check(warn, "bound", shown_bound);
  const std::int64_t wrong_a = match.a->row.wrong.value_or(0);
  const std::int64_t wrong_b = match.b->row.wrong.value_or(0);
  if (wrong_a != 0 || wrong_b != 0) {
    found.add(refuse, "wrong elements", fmt::format("{}", wrong_a), fmt::format("{}", wrong_b));
  }
}

bool has_refusal(const std::vector<Difference>& differences) {
  return std::ranges::any_of(differences,
                             [](const Difference& d) { return d.severity == Severity::refuse; });
}

/// Adds a difference for keys that differ although nothing known in them does. For an emulated
/// point without training this can only be the dilation asked for, and the dilation used is
/// compared.
void add_unknown_settings(const std::vector<Match>& matches, std::vector<Difference>& differences) {
  const bool explained = std::ranges::any_of(differences, [](const Difference& difference) {
    return difference.severity == Severity::refuse || difference.what == "experiment.transport";
  });
  if (explained) return;
  for (const auto& [a, b] : matches) {
    if (a->record.key == b->record.key) continue;
    const bool harmless =
        a->row.configuration.backing != record::Backing::simulated && !a->row.training;
    add_point_difference(differences,
                         {.severity = harmless ? Severity::warn : Severity::refuse,
                          .what = "what keys hold and contexts do not name (failures, gamma, "
                                  "computing, graph files, dilation asked for)",
                          .a = "one value",
                          .b = "another"},
                         record::point_name(a->row.configuration));
  }
}

std::string shown_status(const record::StoredRun& run) {
  return fmt::format("{}, {} of {} points", to_string(run.status), run.points.size(), run.planned);
}

std::vector<Difference> all_differences(const record::StoredRun& a, const record::StoredRun& b,
                                        const std::vector<Match>& matches) {
  const bool measured = std::ranges::any_of(matches, [](const Match& m) {
    return m.a->row.configuration.backing != record::Backing::simulated;
  });
  std::vector<Difference> differences = context_differences(a.context, b.context, measured);
  for (const Match& match : matches) add_differences(match, differences);
  add_unknown_settings(matches, differences);
  if (matches.empty()) {
    differences.push_back({.severity = Severity::refuse,
                           .what = "points, none in common",
                           .a = fmt::format("{}", a.points.size()),
                           .b = fmt::format("{}", b.points.size())});
  }
  const bool simulated = std::ranges::any_of(matches, [](const Match& m) {
    return m.a->row.configuration.backing == record::Backing::simulated;
  });
  if (simulated && a.calibration.is_null() != b.calibration.is_null()) {
    const auto shown = [](const record::StoredRun& run) {
      return std::string(run.calibration.is_null() ? "ideal" : "as measured ones were found");
    };
    differences.push_back({.what = "simulated links", .a = shown(a), .b = shown(b)});
  }
  if (a.status != record::RunStatus::complete || b.status != record::RunStatus::complete) {
    differences.push_back({.what = "status", .a = shown_status(a), .b = shown_status(b)});
  }
  std::ranges::stable_sort(differences, {}, &Difference::severity);
  return differences;
}

template <class Value>
std::optional<double> geometric_mean(const std::vector<PointComparison>& points,
                                     Value contrast_of) {
  double logarithms = 0;
  std::size_t count = 0;
  for (const PointComparison& point : points) {
    const Contrast* contrast = contrast_of(point);
    if (contrast == nullptr || !is_fit(point)) continue;
    logarithms += std::log(contrast->ratio.ratio);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::exp(logarithms / static_cast<double>(count));
}

bool has_wrong_data(const record::StoredRun& run) {
  return std::ranges::any_of(run.points, [](const record::StoredPoint& point) {
    return point.row.wrong.value_or(0) != 0;
  });
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return kVerdicts.name_of(verdict);
}

Contrast contrast(std::span<const double> a, std::span<const double> b) {
  Contrast found{.n_a = a.size(), .n_b = b.size(), .ratio = estimate_ratio(a, b)};
  found.median_a = record::summarize(a).median;
  found.median_b = record::summarize(b).median;
  if (!found.ratio.interval) return found;
  found.test = mann_whitney(a, b);
  found.verdict = Verdict::same;
  if (found.test->p < kSignificance) {
    const bool longer = 2 * found.test->u > static_cast<double>(a.size() * b.size());
    found.verdict = longer ? Verdict::slower : Verdict::faster;
  }
  return found;
}

bool is_fit(const PointComparison& point) {
  return std::ranges::none_of(point.flags_a, record::spoils) &&
         std::ranges::none_of(point.flags_b, record::spoils);
}

bool RunComparison::refused() const {
  return has_refusal(differences);
}

bool RunComparison::wrong_data() const {
  return has_wrong_data(a) || has_wrong_data(b);
}

std::optional<double> RunComparison::mean_gst_ratio() const {
  return geometric_mean(points, [](const PointComparison& point) { return &point.gst; });
}

std::optional<double> RunComparison::mean_iteration_ratio() const {
  return geometric_mean(points, [](const PointComparison& point) {
    return point.iteration ? &*point.iteration : nullptr;
  });
}

RunComparison compare_runs(const record::StoredRun& a, const record::StoredRun& b) {
  const Matching matching(a, b);
  RunComparison comparison{.a = a,
                           .b = b,
                           .only_a = matching.only_a(),
                           .only_b = matching.only_b(),
                           .differences = all_differences(a, b, matching.matches())};
  for (const Match& match : matching.matches()) comparison.points.push_back(compare_points(match));
  return comparison;
}

}  // namespace gradwire::report
