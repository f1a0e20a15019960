#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"

/// Marks on samples and rows that say why a number is not to be taken as it stands.
namespace gradwire::record {

inline constexpr std::string_view kFlagFasterThanBound = "faster-than-bound";
inline constexpr std::string_view kFlagHighVariance = "high-variance";
inline constexpr std::string_view kFlagFewSamples = "few-samples";
inline constexpr std::string_view kFlagNotVerified = "not-verified";
inline constexpr std::string_view kFlagWrongData = "wrong-data";
inline constexpr std::string_view kFlagCpuBound = "cpu-bound";
inline constexpr std::string_view kFlagDisturbed = "disturbed";
inline constexpr std::string_view kFlagOffPrediction = "off-prediction";
inline constexpr std::string_view kFlagLatency = "latency";
inline constexpr std::string_view kFlagBytesOffPlan = "bytes-off-plan";
inline constexpr std::string_view kFlagSlowLinks = "slow-links";
inline constexpr std::string_view kFlagPacketLoss = "packet-loss";
inline constexpr std::string_view kFlagLinkChanged = "link-changed";
inline constexpr std::string_view kFlagBurst = "burst";
inline constexpr std::string_view kFlagUnshaped = "unshaped";
inline constexpr std::string_view kFlagIncomplete = "incomplete";
inline constexpr std::string_view kFlagLateCompute = "late-compute";
inline constexpr std::string_view kFlagDiverged = "diverged";
inline constexpr std::string_view kFlagPadded = "padded";
inline constexpr std::string_view kFlagOutage = "outage";
inline constexpr std::string_view kFlagIncast = "incast";
inline constexpr std::string_view kFlagNotProven = "not-proven";
inline constexpr std::string_view kFlagNotCounted = "not-counted";
inline constexpr std::string_view kFlagCostExtrapolated = "cost-extrapolated";
inline constexpr std::string_view kFlagUncheckedFrames = "integrity-off";
inline constexpr std::string_view kFlagResumed = "resumed";
/// What a flag of straggler_flag() begins with.
inline constexpr std::string_view kFlagStraggler = "straggler";

/// An efficiency above 1 by no more than this is rounding.
inline constexpr double kBoundSlack = 1e-9;
/// A coefficient of variation above this is kFlagHighVariance, in percent.
inline constexpr double kHighVariancePercent = 10;
/// A shaper's burst above this share of what the busiest port sends is kFlagBurst.
inline constexpr double kBurstShare = 0.01;
/// A prediction that is off by more than this share of the measured GST, in percent, is
/// kFlagOffPrediction.
inline constexpr double kPredictionBandPercent = 5;
/// Software's latency above this share of GST is kFlagLatency.
inline constexpr double kLatencyShare = 0.01;
/// Computing that takes more than this share longer than its profile says is kFlagLateCompute.
inline constexpr double kLateShare = 0.02;
/// Fewer measured iterations are kFlagFewSamples: too few for a confidence interval.
inline constexpr int kFewSamples = 6;

/// Whether a row with this flag is left out of comparisons: the machine or the fabric, not what is
/// compared, may have set its time.
[[nodiscard]] bool spoils(std::string_view flag);

/// Whether a flag says that the machine may have set a row's time, found by calibration or by
/// watching the machine and its links, whatever was predicted. Pairs of predicted and measured are
/// left out for these flags alone.
[[nodiscard]] bool tells_of_machine(std::string_view flag);

/// "straggler-2": rank 2 made an iteration longer by standing still.
[[nodiscard]] std::string straggler_flag(Rank rank);

/// Adds a flag unless it is there.
void add_once(std::vector<std::string>& flags, std::string_view flag);

/// One sentence on what a flag means; what is unknown says so.
[[nodiscard]] std::string_view explain_flag(std::string_view flag);

}  // namespace gradwire::record
