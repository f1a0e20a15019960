#pragma once

#include "tests/results/report/compare/stored_runs.h"

/// Rows for the tests of metrics: one that has everything, and one that has little.
namespace gradwire::testing {

/// A training job of two buckets, and of fully connected layers, on a wiring that was counted and
/// priced. Iterations take 2 to 9 ms, of which 1.5 ms compute; 3 ms were predicted.
inline record::Row full_row() {
  record::Row row = stored_point("bml", times(8, 1e-3)).row;
  row.key = "0123";
  row.configuration.batch = 64;
  row.configuration.schedule = "wfbp";
  row.integrity = "crc32c";
  row.predicted = Seconds(1.05e-3);
  row.latency = Seconds(2e-6);
  row.iterations = {.warmup = 2, .earlier = 3, .disturbed = 1};
  row.foreign_share = 0.125;
  row.dense =
      record::DenseRow{.products = Seconds(0.25e-3), .step = Seconds(1.2535e-3), .deviation = 3e-7};
  row.flags = {"cpu-bound", "burst"};
  row.wiring =
      record::WiringCost{.cut = Seconds(0.8e-3),
                         .cut_name = "each host's NICs",
                         .cost = {.switches = 6, .switch_ports = 18, .nics = 18, .cables = 18},
                         .price = 798};
  schedule::Timeline predicted{.compute = Seconds(1.5e-3), .iteration = Seconds(3e-3)};
  predicted.buckets.push_back({.ready = Seconds(1e-3), .end = Seconds(2e-3), .bytes = 1e6});
  row.training = record::TrainingRow{
      .plan = {.profile = "resnet50 on v100",
               .cost = record::measured_cost({{.bytes = 4, .time = Seconds(1e-5)},
                                              {.bytes = 4'000'004, .time = Seconds(4.01e-3)}}),
               .predicted = predicted},
      .iteration =
          record::summarize(std::vector<double>{2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 7e-3, 8e-3, 9e-3}),
      .compute = Seconds(1.5e-3),
      .exposed = Seconds(4e-3),
      .jct = Seconds(44e-3),
      .bucket_gst = {Seconds(0.5e-3), Seconds(0.25e-3)}};
  return row;
}

/// One measured iteration without bound, verification, training or wiring's cost.
inline record::Row bare_row() {
  record::Row row = stored_point("ring", {1e-3}).row;
  row.configuration.workload = "";
  row.bound.reset();
  row.wrong.reset();
  return row;
}

}  // namespace gradwire::testing
