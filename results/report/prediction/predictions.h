#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/stored_run.h"

/// Errors of predictions against measured times.
namespace gradwire::report {

/// Pair of times: a measured row whose GST was predicted before its first iteration.
struct Prediction {
  std::size_t run = 0;     ///< index among the runs
  std::size_t point = 0;   ///< index in the run
  double off_percent = 0;  ///< 100 (predicted / measured - 1)
  /// Flags of the machine and calibration (record::tells_of_machine). A pair with one does not
  /// count.
  std::vector<std::string> left_out_for = {};

  [[nodiscard]] bool counts() const { return left_out_for.empty(); }
  /// Whether it counts and its error is above record::kPredictionBandPercent.
  [[nodiscard]] bool is_outlier() const;
};

/// All pairs of the runs, in their order. Simulated rows have none, nor have rows of libraries,
/// which nobody predicts.
[[nodiscard]] std::vector<Prediction> predictions_of(std::span<const record::StoredRun> runs);

/// Errors of several pairs, in percent. Only those that count, without their sign.
struct PredictionErrors {
  std::size_t pairs = 0;
  std::size_t counted = 0;
  std::size_t outliers = 0;
  std::optional<double> median;   ///< absent where none counts
  std::optional<double> p95;      ///< nearest rank
  std::optional<double> largest;  ///< with its sign
};

[[nodiscard]] PredictionErrors errors_of(std::span<const Prediction> predictions);

/// The sentence about agreement, the only form in which documents state it: "305 of 312 pairs
/// count: half of them are off by at most 0.8 %, 95 % of them by at most 3.1 %, and 6 of them by
/// more than 5 %."
[[nodiscard]] std::string agreement_sentence(const PredictionErrors& errors);

/// Property that a group of pairs shares.
enum class Shared : std::uint8_t { wiring, algorithm, size, rate, transport, schedule };

inline constexpr std::array kAllShared{Shared::wiring, Shared::algorithm, Shared::size,
                                       Shared::rate,   Shared::transport, Shared::schedule};

/// The property's name: "wiring", "algorithm", and so on.
[[nodiscard]] std::string_view to_string(Shared shared);

/// Pairs with one value of the shared property.
struct PredictionGroup {
  std::string value;  ///< "bcube(3,2)", "4 MiB"
  PredictionErrors errors;
};

/// Groups the pairs by value, ordering sizes and rates by number and others by name.
[[nodiscard]] std::vector<PredictionGroup> grouped(std::span<const record::StoredRun> runs,
                                                   std::span<const Prediction> predictions,
                                                   Shared shared);

/// The value of one pair, as in its group.
[[nodiscard]] std::string value_of(std::span<const record::StoredRun> runs,
                                   const Prediction& prediction, Shared shared);

}  // namespace gradwire::report
