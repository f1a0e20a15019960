#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "results/record/stored_run.h"

/// Stored runs, made without a folder.
namespace gradwire::testing {

/// A point on BCube(3,2) that was measured with these times; seconds.
inline record::StoredPoint stored_point(const std::string& algorithm, std::vector<double> gst,
                                        record::Backing backing = record::Backing::emulated) {
  record::Configuration what{.backing = backing,
                             .wiring = "bcube(3,2)",
                             .algorithm = algorithm,
                             .workload = "lenet5",
                             .ranks = 9,
                             .ports_per_host = 2,
                             .elements = 1'000'000};
  record::StoredPoint point;
  point.record = {.key = "key of " + algorithm,
                  .configuration = what,
                  .dilation = 100,
                  .iterations = gst.size(),
                  .bound = Seconds(0.9e-3)};
  point.row = {.configuration = what, .dilation = 100, .bound = Seconds(0.9e-3), .wrong = 0};
  point.row.gst = record::summarize(gst);
  point.gst = std::move(gst);
  return point;
}

/// n times from `first` on, 1 us apart; seconds.
inline std::vector<double> times(std::size_t n, double first) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(first + 1e-6 * static_cast<double>(i));
  return values;
}

inline nlohmann::json stored_context() {
  return {{"version", 1},
          {"started", "2026-03-01T12:00:05Z"},
          {"experiment",
           {{"name", "quickstart"},
            {"iterations", 10},
            {"link", {{"rate_bits_per_s", 8e9}, {"mtu", 9000}, {"startup_us", 0}}}}},
          {"build", {{"commit", "0123"}, {"dirty", false}}},
          {"machine", {{"kernel", "Linux 6.1"}, {"cores", 2}, {"load", "0.1"}}}};
}

inline record::StoredRun stored_run(std::vector<record::StoredPoint> points) {
  record::StoredRun run;
  run.folder = "runs/x";
  run.name = "quickstart";
  run.started = "2026-03-01T12:00:05Z";
  run.status = record::RunStatus::complete;
  run.planned = points.size();
  run.context = stored_context();
  run.points = std::move(points);
  return run;
}

}  // namespace gradwire::testing
