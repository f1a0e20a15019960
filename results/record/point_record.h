#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/row.h"

namespace gradwire::record {

/// Facts about a point that are known before it is measured: a line of points.ndjson.
struct PointRecord {
  std::string key;  ///< equal for the same point in any run (harness/run/point_key.h)
  /// Number of the attempt: 0 is the run itself, 1 the first time it was resumed, and so on. Files
  /// call it "session".
  std::size_t attempt = 0;
  Configuration configuration;
  double dilation = 1;
  std::size_t warmup = 0;      ///< iterations planned
  std::size_t iterations = 0;  ///< measured iterations planned; 1 for a simulation
  /// Check of the payload's bits on their way: "crc32c", "off", "icrc", "tcp-checksum"; empty where
  /// nothing was sent or the check is unknown.
  std::string integrity = {};
  /// Multiple of S that the busiest NIC carries at least, where the collective's name and N do not
  /// imply it: for groups beside each other, and for counts per pair.
  std::optional<double> bus_factor = {};
  std::optional<Seconds> bound;  ///< before the head start of early ranks is subtracted
  /// GST that the simulator predicted before any measurement of the point; undilated. Absent for
  /// libraries, simulated points, and in older files.
  std::optional<Seconds> predicted = {};
  /// Part of GST that even hardly any bytes take, undilated. Absent without dilation, and where the
  /// experiment names a start-up time.
  std::optional<Seconds> latency = {};
  std::optional<WiringCost> wiring;
  std::optional<TrainingPlan> training;  ///< plan of a training job
};

[[nodiscard]] nlohmann::json to_json(const PointRecord& record);
/// Reads to_json's document and skips unknown fields. Throws StoreError for any other.
[[nodiscard]] PointRecord point_record_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
