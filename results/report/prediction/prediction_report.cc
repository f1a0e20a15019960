#include "results/report/prediction/prediction_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"
#include "core/text/text_check.h"
#include "results/record/flags.h"
#include "results/report/prediction/predictions.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;
using Predictions = std::span<const Prediction>;
using Lines = std::vector<std::vector<std::string>>;

constexpr std::string_view kPredictionDefinitions =
    "#\n"
    "# A pair is a row's GST as the simulator said before anything of the row was measured,\n"
    "# and as it was measured. off% = 100 (predicted / measured - 1). The columns median%,\n"
    "# p95% and largest% are of the pairs that count, the first two without the sign. An\n"
    "# outlier counts, and is off by more than 5 %. A pair does not count when machine or\n"
    "# calibration had flagged its row; these flags know nothing of the prediction.\n"
    "#\n";

constexpr std::array kErrorHeadings = std::to_array<text::Heading>({
    {"pairs with the same", "", true},
    {"", "", true},
    {"pairs"},
    {"count"},
    {"median%"},
    {"p95%"},
    {"largest%"},
    {"outliers"},
});

constexpr std::array kOutlierHeadings = std::to_array<text::Heading>({
    {"run", "", true},
    {"wiring", "", true},
    {"algo", "", true},
    {"size", "", true},
    {"sched", "", true},
    {"predicted", "(us)"},
    {"measured", "(us)"},
    {"off%"},
    {"flags", "", true},
    {"key", "", true},
    {"cause", "", true},
});

std::string percent(const std::optional<double>& value, bool with_sign = false) {
  if (!value) return "-";
  return with_sign ? fmt::format("{:+.1f}", *value) : fmt::format("{:.1f}", *value);
}

std::vector<std::string> error_cells(std::string_view shared, const std::string& value,
                                     const PredictionErrors& errors) {
  return {std::string(shared),           text::plain_line(value),
          fmt::to_string(errors.pairs),  fmt::to_string(errors.counted),
          percent(errors.median),        percent(errors.p95),
          percent(errors.largest, true), fmt::to_string(errors.outliers)};
}

std::string error_table(Runs runs, Predictions predictions) {
  Lines lines{error_cells("(all)", "", errors_of(predictions))};
  for (const Shared shared : kAllShared) {
    for (const PredictionGroup& group : grouped(runs, predictions, shared)) {
      lines.push_back(error_cells(to_string(shared), group.value, group.errors));
    }
  }
  return text::format_columns(kErrorHeadings, lines);
}

std::vector<std::string> outlier_cells(Runs runs, const Prediction& prediction,
                                       const Causes& causes) {
  const record::StoredRun& run = runs[prediction.run];
  const record::StoredPoint& point = run.points[prediction.point];
  const record::Configuration& c = point.row.configuration;
  const auto cause = causes.find(point.record.key);
  return {text::plain_line(run.name),
          text::plain_line(c.wiring),
          text::plain_line(c.algorithm),
          value_of(runs, prediction, Shared::size),
          text::plain_line(c.schedule),
          text::microseconds(*point.row.predicted),
          text::microseconds(Seconds(point.row.gst.median)),
          percent(prediction.off_percent, true),
          fmt::format("{}", fmt::join(row_flags(point.row), ",")),
          text::plain_line(point.record.key),
          cause == causes.end() ? "not yet known" : text::plain_line(cause->second)};
}

/// The table of outliers, by descending error, and of causes whose point is none.
std::string outlier_table(Runs runs, Predictions predictions, const Causes& causes) {
  std::vector<Prediction> outliers;
  std::ranges::copy_if(predictions, std::back_inserter(outliers), &Prediction::is_outlier);
  std::ranges::stable_sort(outliers, std::greater(), [](const Prediction& prediction) {
    return std::abs(prediction.off_percent);
  });
  Lines lines;
  std::set<std::string> keys;
  for (const Prediction& prediction : outliers) {
    lines.push_back(outlier_cells(runs, prediction, causes));
    keys.insert(runs[prediction.run].points[prediction.point].record.key);
  }
  std::string text;
  if (!lines.empty()) text = "#\n# Outliers\n#\n" + text::format_columns(kOutlierHeadings, lines);
  for (const auto& [key, cause] : causes) {
    if (keys.contains(key)) continue;
    text += fmt::format("# {} is no outlier, but has a cause: {}\n", text::plain_line(key),
                        text::plain_line(cause));
  }
  return text;
}

std::string left_out_lines(Predictions predictions) {
  std::map<std::string, std::size_t> pairs;
  for (const Prediction& prediction : predictions) {
    for (const std::string& flag : prediction.left_out_for) ++pairs[flag];
  }
  std::string text;
  for (const auto& [flag, count] : pairs) {
    text += fmt::format("# left out for {}: {}\n", text::plain_line(flag), count);
  }
  return text;
}

nlohmann::json errors_json(const PredictionErrors& errors) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  return {{"pairs", errors.pairs},
          {"counted", errors.counted},
          {"outliers", errors.outliers},
          {"median_percent", or_null(errors.median)},
          {"p95_percent", or_null(errors.p95)},
          {"largest_percent", or_null(errors.largest)}};
}

}  // namespace

std::string format_predictions(Runs runs, const Causes& causes) {
  const std::vector<Prediction> predictions = predictions_of(runs);
  if (predictions.empty()) return "# No row of these runs was predicted before it was measured.\n";
  return std::string(kPredictionDefinitions) + error_table(runs, predictions) +
         outlier_table(runs, predictions, causes) + "#\n" + left_out_lines(predictions) +
         fmt::format("# {}\n", agreement_sentence(errors_of(predictions)));
}

nlohmann::json predictions_json(Runs runs) {
  const std::vector<Prediction> predictions = predictions_of(runs);
  if (predictions.empty()) return nullptr;
  const PredictionErrors all = errors_of(predictions);
  nlohmann::json pairs = nlohmann::json::array();
  for (const Prediction& prediction : predictions) {
    nlohmann::json values = nlohmann::json::object();
    for (const Shared shared : kAllShared) {
      values[std::string(to_string(shared))] = value_of(runs, prediction, shared);
    }
    pairs.push_back({{"run", prediction.run},
                     {"row", prediction.point},
                     {"values", std::move(values)},
                     {"left_out_for", prediction.left_out_for}});
  }
  nlohmann::json groups = nlohmann::json::array();
  for (const Shared shared : kAllShared) {
    for (const PredictionGroup& group : grouped(runs, predictions, shared)) {
      groups.push_back({{"shared", to_string(shared)},
                        {"value", group.value},
                        {"errors", errors_json(group.errors)}});
    }
  }
  return {{"sentence", agreement_sentence(all)},
          {"band_percent", record::kPredictionBandPercent},
          {"errors", errors_json(all)},
          {"groups", std::move(groups)},
          {"pairs", std::move(pairs)}};
}

}  // namespace gradwire::report
