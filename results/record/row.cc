#include "results/record/row.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collectives/collective.h"
#include "core/error.h"
#include "results/record/flags.h"

namespace gradwire::record {

double TrainingRow::exposed_percent() const {
  return 100 * exposed.count() / iteration.median;
}

std::optional<double> TrainingRow::prediction_error_percent() const {
  if (plan.predicted.buckets.empty()) return std::nullopt;
  return 100 * (plan.predicted.iteration.count() / iteration.median - 1);
}

std::optional<double> Row::gst_prediction_error_percent() const {
  if (!predicted) return std::nullopt;
  return 100 * (predicted->count() / gst.median - 1);
}

std::optional<double> Row::latency_share() const {
  if (!latency) return std::nullopt;
  return latency->count() / gst.median;
}

namespace {

/// Whether the gradient is larger than all sizes whose cost was measured.
bool is_cost_extrapolated(const Row& row) {
  if (!row.training || row.training->plan.cost.points.empty()) return false;
  const double measured = row.training->plan.cost.points.back().bytes;
  return static_cast<double>(row.configuration.bytes()) > measured;
}

}  // namespace

Rates rates(const Configuration& configuration, const Timed& timed) {
  ensure(timed.gst.count() > 0, "a synchronization takes time");
  ensure(configuration.ranks > 0 && configuration.ports_per_host > 0, "a wiring has hosts");
  Rates rates;
  rates.algbw = static_cast<double>(configuration.bytes()) / timed.gst.count();
  rates.busbw = rates.algbw * (timed.bus_factor ? *timed.bus_factor
                                                : collectives::bus_factor(configuration.collective,
                                                                          configuration.ranks));
  rates.nicbw = rates.busbw / static_cast<double>(configuration.ports_per_host);
  if (timed.bound) rates.efficiency = *timed.bound / timed.gst;
  return rates;
}

std::vector<std::string> row_flags(const Row& row) {
  std::vector<std::string> flags;
  for (const std::string& flag : row.flags) add_once(flags, flag);
  if (row.rates().efficiency.value_or(0) > 1 + kBoundSlack) add_once(flags, kFlagFasterThanBound);
  if (std::abs(row.gst_prediction_error_percent().value_or(0)) > kPredictionBandPercent) {
    add_once(flags, kFlagOffPrediction);
  }
  if (row.latency_share().value_or(0) > kLatencyShare) add_once(flags, kFlagLatency);
  if (row.gst.cv_percent > kHighVariancePercent) add_once(flags, kFlagHighVariance);
  // A simulation would give the same again, and moves no data that could be wrong.
  if (row.configuration.backing != Backing::simulated) {
    if (row.gst.n < kFewSamples) add_once(flags, kFlagFewSamples);
    if (!row.wrong) add_once(flags, kFlagNotVerified);
    if (row.integrity == "off") add_once(flags, kFlagUncheckedFrames);
  }
  if (row.wrong.value_or(0) != 0) add_once(flags, kFlagWrongData);
  if (is_cost_extrapolated(row)) add_once(flags, kFlagCostExtrapolated);
  return flags;
}

}  // namespace gradwire::record
