#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/row.h"

namespace gradwire::record {

/// What is known of a point before it is measured: a line of points.ndjson.
struct PointRecord {
  std::string key;  ///< the same for the same point in any run (harness/run/point_key.h)
  /// 0: the run itself; 1: the first time it was resumed; ... Files call it "session".
  std::size_t attempt = 0;
  Configuration configuration;
  double dilation = 1;
  std::size_t warmup = 0;      ///< iterations planned
  std::size_t iterations = 0;  ///< measured iterations planned; a simulation makes one
  /// What checked the payload's bits on their way: "crc32c", "off", "icrc", "tcp-checksum"; empty
  /// where nothing was sent or nothing was said.
  std::string integrity = {};
  /// How many times S the busiest NIC carries at least, where the collective's name and N do not say
  /// it: of groups beside each other, and of counts for each pair.
  std::optional<double> bus_factor = {};
  std::optional<Seconds> bound;  ///< before the head start of early ranks is taken off
  /// GST as the simulator said before anything of the point was measured; undilated. Absent for
  /// libraries, simulated points, and in files of before.
  std::optional<Seconds> predicted = {};
  /// Of GST: what hardly any bytes take, undilated. Absent without dilation, and where the
  /// experiment names a start-up time.
  std::optional<Seconds> latency = {};
  std::optional<WiringCost> wiring;
  std::optional<TrainingPlan> training;  ///< of a training job
};

[[nodiscard]] nlohmann::json to_json(const PointRecord& record);
/// Skips fields it does not know. Throws StoreError for what to_json did not make.
[[nodiscard]] PointRecord point_record_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
