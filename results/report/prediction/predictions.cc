#include "results/report/prediction/predictions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/units.h"
#include "results/record/flags.h"
#include "results/record/statistics.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

const record::Row& row_of(Runs runs, const Prediction& prediction) {
  return runs[prediction.run].points[prediction.point].row;
}

/// The experiment in the run's context; null where the context could not be read.
nlohmann::json experiment_of(Runs runs, const Prediction& prediction) {
  const nlohmann::json& context = runs[prediction.run].context;
  return context.is_object() ? context.value("experiment", nlohmann::json()) : nlohmann::json();
}

/// The rate of the links in bits per second; 0 where it is unlimited or unknown.
double rate_of(Runs runs, const Prediction& prediction) {
  const nlohmann::json::json_pointer place("/link/rate_bits_per_s");
  const nlohmann::json experiment = experiment_of(runs, prediction);
  if (!experiment.contains(place) || !experiment.at(place).is_number()) return 0;
  return experiment.at(place).get<double>();
}

/// The number by which groups are ordered, before their names.
double number_of(Runs runs, const Prediction& prediction, Shared shared) {
  if (shared == Shared::rate) return rate_of(runs, prediction);
  if (shared != Shared::size) return 0;
  return static_cast<double>(row_of(runs, prediction).configuration.bytes());
}

/// The value with the largest distance from 0, with its sign.
double largest_of(std::span<const double> values) {
  return *std::ranges::max_element(values, {}, [](double value) { return std::abs(value); });
}

/// The percentage in tenths, rounded up, so that "at most" stays true.
double at_most(double percent) {
  return std::ceil(10 * percent - 1e-9) / 10;
}

}  // namespace

bool Prediction::is_outlier() const {
  return counts() && std::abs(off_percent) > record::kPredictionBandPercent;
}

std::vector<Prediction> predictions_of(Runs runs) {
  std::vector<Prediction> predictions;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t point = 0; point < runs[run].points.size(); ++point) {
      const record::Row& row = runs[run].points[point].row;
      const auto off = row.gst_prediction_error_percent();
      if (!off || row.configuration.backing == record::Backing::simulated) continue;
      Prediction prediction{.run = run, .point = point, .off_percent = *off};
      std::ranges::copy_if(row_flags(row), std::back_inserter(prediction.left_out_for),
                           record::tells_of_machine);
      predictions.push_back(std::move(prediction));
    }
  }
  return predictions;
}

PredictionErrors errors_of(std::span<const Prediction> predictions) {
  PredictionErrors errors{.pairs = predictions.size()};
  std::vector<double> signed_errors;
  std::vector<double> distances;
  for (const Prediction& prediction : predictions) {
    if (!prediction.counts()) continue;
    signed_errors.push_back(prediction.off_percent);
    distances.push_back(std::abs(prediction.off_percent));
    errors.outliers += prediction.is_outlier() ? 1 : 0;
  }
  errors.counted = distances.size();
  if (distances.empty()) return errors;
  const record::Summary summary = record::summarize(distances);
  errors.median = summary.median;
  errors.p95 = summary.p95;
  errors.largest = largest_of(signed_errors);
  return errors;
}

std::string agreement_sentence(const PredictionErrors& errors) {
  if (!errors.median) return fmt::format("None of {} pairs counts.", errors.pairs);
  return fmt::format(
      "{} of {} pairs count: half of them are off by at most {:.1f} %, 95 % of them by at most "
      "{:.1f} %, and {} of them by more than {:g} %.",
      errors.counted, errors.pairs, at_most(*errors.median), at_most(*errors.p95), errors.outliers,
      record::kPredictionBandPercent);
}

std::string_view to_string(Shared shared) {
  switch (shared) {
    case Shared::wiring:
      return "wiring";
    case Shared::algorithm:
      return "algorithm";
    case Shared::size:
      return "size";
    case Shared::rate:
      return "rate";
    case Shared::transport:
      return "transport";
    case Shared::schedule:
      return "schedule";
  }
  throw_bug("pairs share what kAllShared lists");
}

std::string value_of(Runs runs, const Prediction& prediction, Shared shared) {
  const record::Configuration& c = row_of(runs, prediction).configuration;
  switch (shared) {
    case Shared::wiring:
      return c.wiring;
    case Shared::algorithm:
      return c.algorithm;
    case Shared::size:
      return format_bytes(static_cast<double>(c.bytes()));
    case Shared::rate: {
      const double rate = rate_of(runs, prediction);
      return rate > 0 ? to_string(BitRate{rate}) : "unknown";
    }
    case Shared::transport: {
      const nlohmann::json experiment = experiment_of(runs, prediction);
      return experiment.is_object() ? experiment.value("transport", "unknown") : "unknown";
    }
    case Shared::schedule:
      return c.schedule;
  }
  throw_bug("pairs share what kAllShared lists");
}

std::vector<PredictionGroup> grouped(Runs runs, std::span<const Prediction> predictions,
                                     Shared shared) {
  std::map<std::pair<double, std::string>, std::vector<Prediction>> groups;
  for (const Prediction& prediction : predictions) {
    groups[{number_of(runs, prediction, shared), value_of(runs, prediction, shared)}].push_back(
        prediction);
  }
  std::vector<PredictionGroup> result;
  for (const auto& [key, members] : groups) result.push_back({key.second, errors_of(members)});
  return result;
}

}  // namespace gradwire::report
