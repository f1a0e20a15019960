#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"

/// Flags of samples and rows, which say why a number must not be taken as it stands.
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
/// The prefix of flags that straggler_flag() makes.
inline constexpr std::string_view kFlagStraggler = "straggler";

/// Largest excess of an efficiency over 1 that counts as rounding.
inline constexpr double kBoundSlack = 1e-9;
/// Largest coefficient of variation without kFlagHighVariance, in percent.
inline constexpr double kHighVariancePercent = 10;
/// Largest share of the busiest port's bytes that a shaper's burst may have without kFlagBurst.
inline constexpr double kBurstShare = 0.01;
/// Largest error of a prediction without kFlagOffPrediction, in percent of the measured GST.
inline constexpr double kPredictionBandPercent = 5;
/// Largest share of GST that software's latency may have without kFlagLatency.
inline constexpr double kLatencyShare = 0.01;
/// Largest share by which computing may exceed its profile's time without kFlagLateCompute.
inline constexpr double kLateShare = 0.02;
/// Fewest measured iterations without kFlagFewSamples: enough for a confidence interval.
inline constexpr int kFewSamples = 6;

/// Whether comparisons leave out a row with this flag: the machine or the fabric, not the compared
/// things, may have set its time.
[[nodiscard]] bool spoils(std::string_view flag);

/// Whether a flag says that the machine may have set a row's time, independently of any prediction:
/// it comes from calibration or from watching the machine and its links. Pairs of prediction and
/// measurement are left out for these flags alone.
[[nodiscard]] bool tells_of_machine(std::string_view flag);

/// The flag of a rank that made an iteration longer by standing still: "straggler-2".
[[nodiscard]] std::string straggler_flag(Rank rank);

/// Adds a flag unless the list has it already.
void add_once(std::vector<std::string>& flags, std::string_view flag);

/// Explains a flag in one sentence; an unknown flag gets one that says so.
[[nodiscard]] std::string_view explain_flag(std::string_view flag);

}  // namespace gradwire::record
