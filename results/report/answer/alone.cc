#include "results/report/answer/alone.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/point_json.h"
#include "results/report/answer/contest.h"
#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

const record::Summary& times_of(const record::StoredPoint& point) {
  return point.row.training ? point.row.training->iteration : point.row.gst;
}

/// Ratio of GST to the bound; absent without a bound.
std::optional<double> over_bound(const Alone& row) {
  const auto& bound = row.point->row.bound;
  if (!bound || !(bound->count() > 0)) return std::nullopt;
  return row.point->row.gst.median / bound->count();
}

std::optional<double> over_simulated(const Alone& row) {
  if (row.simulated == nullptr) return std::nullopt;
  return times_of(*row.point).median / times_of(*row.simulated).median;
}

/// The confidence interval in words: "95.1 % sure to be 4.68 to 4.70 ms; 12 samples".
std::string certainty(const record::StoredPoint& point) {
  const record::Summary& times = times_of(point);
  if (is_simulated(point)) return "computed";
  const std::string samples = times.n == 1 ? "one sample" : fmt::format("{} samples", times.n);
  const auto& interval = times.median_interval;
  if (!interval) return samples;
  return fmt::format("{:.3g} % sure to be {} to {}; {}", 100 * interval->confidence,
                     time_words(Seconds(interval->low)), time_words(Seconds(interval->high)),
                     samples);
}

std::string one_row(const Alone& row) {
  const record::StoredPoint& point = *row.point;
  const record::Configuration& c = point.row.configuration;
  std::string words = fmt::format(
      "{}, {} on {} {} {} between {} hosts in {} ({}){}", backings_words({&c.backing, 1}),
      c.algorithm, c.wiring, point.row.training ? "trains an iteration of" : "synchronizes",
      gradients_words(c), c.ranks, time_words(Seconds(times_of(point).median)), certainty(point),
      flags_words(point.row));
  if (const auto times = over_bound(row)) {
    words += fmt::format(", {} {} times its bound of {}",
                         point.row.training ? "its synchronizations" : "which is",
                         ratio_words(*times), time_words(*point.row.bound));
  }
  if (const auto times = over_simulated(row)) {
    words += fmt::format(", and {} times the {} that were simulated", ratio_words(*times),
                         time_words(Seconds(times_of(*row.simulated).median)));
  }
  return words;
}

/// The range of a ratio over the rows that have it: "1.01 to 1.03 times"; empty where none has.
template <class Ratio>
std::string spread(std::span<const Alone> rows, Ratio ratio_of, const char* what) {
  std::vector<double> ratios;
  for (const Alone& row : rows) {
    if (const auto ratio = ratio_of(row)) ratios.push_back(*ratio);
  }
  if (ratios.empty()) return "";
  const auto [low, high] = std::ranges::minmax(ratios);
  const std::string of = ratios.size() == rows.size() ? "" : fmt::format(" (of {})", ratios.size());
  return fmt::format("{} times {}{}", range_words(low, high), what, of);
}

}  // namespace

std::vector<Alone> alone_in(const record::StoredRun& run) {
  const auto key_of = [](const record::StoredPoint& point) {
    nlohmann::json key = to_json(point.row.configuration);
    key.erase("point");
    key.erase("backing");
    return key.dump();
  };
  std::map<std::string, const record::StoredPoint*> simulated;
  std::map<std::string, std::size_t> measured;
  for (const record::StoredPoint& point : run.points) {
    if (!is_synchronization(point.row)) continue;
    if (is_simulated(point))
      simulated.try_emplace(key_of(point), &point);
    else
      ++measured[key_of(point)];
  }
  std::vector<Alone> rows;
  for (const record::StoredPoint& point : run.points) {
    if (!is_synchronization(point.row)) continue;
    const std::string key = key_of(point);
    if (is_simulated(point)) {
      if (!measured.contains(key)) rows.push_back({.point = &point});
      continue;
    }
    const auto twin = simulated.find(key);
    rows.push_back(
        {.point = &point, .simulated = twin == simulated.end() ? nullptr : twin->second});
  }
  return rows;
}

std::string alone_words(std::span<const Alone> rows) {
  ensure(!rows.empty(), "rows that nothing competes with are at least one");
  if (rows.size() == 1) return one_row(rows.front());
  std::vector<record::Backing> backings;
  std::vector<double> times;
  Marks marks;
  for (const Alone& row : rows) {
    const record::Row* const alone[] = {&row.point->row};
    marks.add(alone);
    backings.push_back(row.point->row.configuration.backing);
    times.push_back(times_of(*row.point).median);
  }
  const auto [least, most] = std::ranges::minmax(times);
  std::string words =
      fmt::format("{}, {} rows that do not compete take {} to {}", backings_words(backings),
                  rows.size(), time_words(Seconds(least)), time_words(Seconds(most)));
  const std::string bound = spread(rows, over_bound, "the bound");
  const std::string simulated = spread(rows, over_simulated, "what was simulated");
  if (!bound.empty()) words += fmt::format("; to synchronize they take {}", bound);
  if (!simulated.empty()) words += fmt::format("{}{}", bound.empty() ? ", " : " and ", simulated);
  return words + marks_words(marks, {.one = "is", .many = "are", .what = ""});
}

}  // namespace gradwire::report
