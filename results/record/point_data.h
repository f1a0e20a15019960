#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/record/point_record.h"
#include "results/record/row_builder.h"
#include "results/record/sample_line.h"
#include "results/record/stored_run.h"

namespace gradwire::record {

/// Everything that is known of a point while its run is read: of a training job once per session,
/// whose buckets may differ; of all others together.
class PointData {
 public:
  /// The point was begun, or begun again in a later session.
  void begin(PointRecord record);
  /// Requires that it was begun. Throws StoreError for a sample of another session or other
  /// buckets.
  void add(const StoredSample& sample);
  /// A flag of a session. Throws StoreError for one that never began.
  void mark(std::size_t session, const std::string& flag);

  /// The last session in which something was measured; nothing when there is none.
  [[nodiscard]] std::optional<StoredPoint> point() const;

 private:
  struct Session {
    PointRecord record;
    RowBuilder builder;
    std::optional<std::pair<std::size_t, std::size_t>> last;  ///< session, iteration of a sample
  };

  [[nodiscard]] Session& session_of(std::size_t number);

  std::vector<Session> sessions_;
};

}  // namespace gradwire::record
