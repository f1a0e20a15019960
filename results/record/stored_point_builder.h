#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/record/point_record.h"
#include "results/record/row_builder.h"
#include "results/record/sample_line.h"
#include "results/record/stored_run.h"

namespace gradwire::record {

/// Builder of a StoredPoint from the lines of a run folder. A training job's attempts are kept
/// apart, because their buckets may differ; those of any other point count together.
class StoredPointBuilder {
 public:
  /// Begins the point, or begins it again in a later attempt.
  void begin(PointRecord record);
  /// Adds a sample. Requires begin(). Throws StoreError for a sample of another attempt or other
  /// buckets.
  void add(const StoredSample& sample);
  /// Adds a flag of an attempt. Throws StoreError for one that never began.
  void mark(std::size_t attempt, const std::string& flag);

  /// The point as of the last attempt in which something was measured; nothing without one.
  [[nodiscard]] std::optional<StoredPoint> point() const;

 private:
  /// Predicted GST and latency of an attempt, known before it was measured.
  struct Expected {
    std::optional<Seconds> predicted;
    std::optional<Seconds> latency;
  };
  struct Attempt {
    PointRecord record;
    RowBuilder builder;
    std::optional<std::pair<std::size_t, std::size_t>> last;  ///< attempt, iteration of a sample
    std::map<std::size_t, Expected> expected;                 ///< by attempt
  };

  [[nodiscard]] Attempt& attempt_of(std::size_t number);

  std::vector<Attempt> attempts_;
};

}  // namespace gradwire::record
