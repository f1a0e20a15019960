#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Names of the files in a run folder.
namespace gradwire::record {

inline constexpr const char* kExperimentFile = "experiment.yaml";
inline constexpr const char* kContextFile = "context.json";
inline constexpr const char* kCalibrationFile = "calibration.json";
/// The name of the calibration file of a resumed run's attempt, or of a merged run's part; both
/// count from 1.
[[nodiscard]] inline std::string calibration_file(std::size_t attempt) {
  return "calibration-" + std::to_string(attempt) + ".json";
}
/// The hosts file of a run on real hosts.
inline constexpr const char* kHostsFile = "hosts.json";
/// The name of the hosts file of a resumed run's attempt, or of a merged run's part; both count
/// from 1.
[[nodiscard]] inline std::string hosts_file(std::size_t attempt) {
  return "hosts-" + std::to_string(attempt) + ".json";
}
inline constexpr const char* kSamplesFile = "samples.ndjson";
inline constexpr const char* kPointsFile = "points.ndjson";
inline constexpr const char* kTimelinesFile = "timelines.ndjson";
inline constexpr const char* kResultsFile = "results.json";

/// Whether calibration_file() or hosts_file() makes this name.
[[nodiscard]] inline bool is_numbered_file(std::string_view name) {
  const bool begins = name.starts_with("calibration-") || name.starts_with("hosts-");
  return begins && name.ends_with(".json");
}

}  // namespace gradwire::record
