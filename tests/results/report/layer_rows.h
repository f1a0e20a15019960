#pragma once

#include <string>

#include "results/record/row.h"

/// Rows of one fully connected layer of 100 inputs and 100 outputs on two hosts.
namespace gradwire::testing {

/// What was measured; seconds.
struct LayerRow {
  std::string algorithm;
  std::size_t samples = 0;  ///< of one worker
  double gst = 0;
  double products = -1;  ///< below 0: nobody formed them
};

inline record::Row row_of(const LayerRow& of) {
  record::Row row{.configuration = {.backing = record::Backing::emulated,
                                    .wiring = "single-switch(2)",
                                    .algorithm = of.algorithm,
                                    .collective = of.algorithm.starts_with("all-gather")
                                                      ? "all-gather"
                                                      : std::string(record::kAllReduce),
                                    .workload = "dense(inputs=100, outputs=100, samples=" +
                                                std::to_string(of.samples) + ")",
                                    .schedule = "none",
                                    .ranks = 2,
                                    .ports_per_host = 1,
                                    .elements = 10'000},
                  .gst = {.n = 1, .median = of.gst}};
  if (of.products >= 0) {
    row.dense =
        record::DenseRow{.products = Seconds(of.products), .step = Seconds(of.gst + of.products)};
  }
  return row;
}

}  // namespace gradwire::testing
