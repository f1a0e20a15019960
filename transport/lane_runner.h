#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "transport/endpoint.h"
#include "transport/lane_program.h"

namespace gradwire::transport {

/// Runs one lane over its endpoint, again and again. Used by one thread at a time.
class LaneRunner {
 public:
  /// `rank` and `lane_number` name it in errors. The clock must outlive it.
  LaneRunner(const Lane& lane, Stepping stepping, Rank rank, std::size_t lane_number,
             std::unique_ptr<Endpoint> endpoint, const Clock& clock, Nanoseconds stall_timeout);

  /// Runs the lane once. Blocks until its last operation is done. Throws FabricError, with rank,
  /// peer, port, lane and step, when a channel breaks, when nothing moves for the stall timeout, or
  /// when cancelled. Does not allocate unless it throws.
  void run();

 private:
  void reset();
  /// Posts what may start on a channel, in order.
  void post_ready(std::size_t channel, Operation::Kind kind);
  void advance(const Progress& progress);
  /// The earliest unfinished operation, of `channel` if one is given.
  [[nodiscard]] const Operation* unfinished(const std::size_t* channel) const;
  [[nodiscard]] FabricError error_at(const Operation* operation, FabricFailure failure,
                                     const std::string& detail) const;
  [[nodiscard]] FabricError stalled() const;

  Rank rank_;
  std::size_t lane_number_;
  LaneProgram program_;
  std::unique_ptr<Endpoint> endpoint_;
  const Clock& clock_;
  Nanoseconds stall_timeout_;

  std::vector<std::size_t> blockers_left_;  ///< by operation
  std::vector<std::size_t> elements_done_;  ///< by operation
  std::vector<std::size_t> wakeups_given_;  ///< by operation
  std::vector<std::size_t> posted_;         ///< by 2 * channel + kind
  std::size_t operations_left_ = 0;
};

}  // namespace gradwire::transport
