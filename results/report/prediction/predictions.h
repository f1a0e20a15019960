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

/// How far measured times are off what was predicted of them.
namespace gradwire::report {

/// A measured row whose GST was predicted before its first iteration: a pair of times.
struct Prediction {
  std::size_t run = 0;     ///< its place among the runs
  std::size_t point = 0;   ///< its place in the run
  double off_percent = 0;  ///< 100 (predicted / measured - 1)
  /// Its flags of machine and calibration (record::tells_of_machine). With one it does not count.
  std::vector<std::string> left_out_for = {};

  [[nodiscard]] bool counts() const { return left_out_for.empty(); }
  /// It counts, and is off by more than record::kPredictionBandPercent.
  [[nodiscard]] bool is_outlier() const;
};

/// All pairs of the runs, in their order. Simulated rows are none, nor are rows of libraries, which
/// nobody predicts.
[[nodiscard]] std::vector<Prediction> predictions_of(std::span<const record::StoredRun> runs);

/// What several pairs say. Errors are those that count, without their sign, in percent.
struct PredictionErrors {
  std::size_t pairs = 0;
  std::size_t counted = 0;
  std::size_t outliers = 0;
  std::optional<double> median;   ///< absent where none counts
  std::optional<double> p95;      ///< nearest rank
  std::optional<double> largest;  ///< with its sign
};

[[nodiscard]] PredictionErrors errors_of(std::span<const Prediction> predictions);

/// One sentence, the only form in which documents state agreement: "305 of 312 pairs count: half of
/// them are off by at most 0.8 %, 95 % of them by at most 3.1 %, and 6 of them by more than 5 %."
[[nodiscard]] std::string agreement_sentence(const PredictionErrors& errors);

/// What pairs have in common.
enum class Shared : std::uint8_t { wiring, algorithm, size, rate, transport, schedule };

inline constexpr std::array kAllShared{Shared::wiring, Shared::algorithm, Shared::size,
                                       Shared::rate,   Shared::transport, Shared::schedule};

/// "wiring", "algorithm", ...
[[nodiscard]] std::string_view to_string(Shared shared);

/// The pairs with one value of what they share.
struct PredictionGroup {
  std::string value;  ///< "bcube(3,2)", "4 MiB"
  PredictionErrors errors;
};

/// A group for each value, sizes and rates by their number, others by name.
[[nodiscard]] std::vector<PredictionGroup> grouped(std::span<const record::StoredRun> runs,
                                                   std::span<const Prediction> predictions,
                                                   Shared shared);

/// The value of one pair, as its group has it.
[[nodiscard]] std::string value_of(std::span<const record::StoredRun> runs,
                                   const Prediction& prediction, Shared shared);

}  // namespace gradwire::report
