#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/lane_program.h"
#include "transport/endpoint.h"

namespace gradwire::transport {

/// How patient a lane is, and how slow to start.
struct LaneTiming {
  /// When nothing moves for this long, the lane fails.
  Nanoseconds stall_timeout = std::chrono::seconds(10);
  /// Emulated start-up time of a message: a send leaves this long after it could. Shorter than the
  /// stall timeout.
  Nanoseconds startup{};
};

/// When an operation was given to the endpoint, and when its last element was done.
struct OperationTimes {
  TimePoint posted{};
  TimePoint done{};
};

/// Runs the stages of one lane over its endpoint, again and again. Used by one thread at a time.
class LaneRunner {
 public:
  /// `rank` and `lane_number` name it in errors. The clock must outlive it.
  LaneRunner(const Lane& lane, std::span<const StepRange> stages, Stepping stepping, Rank rank,
             std::size_t lane_number, std::unique_ptr<Endpoint> endpoint, const Clock& clock,
             const LaneTiming& timing);

  /// Runs a stage once. Blocks until its last operation is done. Throws FabricError, with rank,
  /// peer, port, lane and step, when a channel breaks, when nothing moves for the stall timeout, or
  /// when cancelled. Does not allocate unless it throws. With `record` it keeps the times of the
  /// operations until the next run.
  void run(std::size_t stage, bool record);

  /// What the last run did, and when it did it (if it recorded): both by operation.
  [[nodiscard]] const LaneProgram& last_program() const { return *program_; }
  [[nodiscard]] std::span<const OperationTimes> last_times() const { return times_; }

 private:
  void reset(std::size_t stage);
  /// Posts what may start on a channel, in order.
  void post_ready(std::size_t channel, Operation::Kind kind);
  /// Whether the send has started up; if not, notes when it will have.
  [[nodiscard]] bool started_up(std::size_t send);
  /// Posts the sends that have started up since; false when there was none to wait for.
  bool post_started();
  /// How long to wait for something to happen.
  [[nodiscard]] Nanoseconds patience() const;
  void advance(const Progress& progress);
  /// A gate has had an input: opens it when that was the last, and posts what stood behind it.
  void enter(std::size_t gate);
  /// The earliest unfinished operation, of `channel` if one is given.
  [[nodiscard]] const Operation* unfinished(const std::size_t* channel) const;
  [[nodiscard]] FabricError error_at(const Operation* operation, FabricFailure failure,
                                     const std::string& detail) const;
  [[nodiscard]] FabricError stalled() const;

  Rank rank_;
  std::size_t lane_number_;
  std::vector<LaneProgram> programs_;  ///< by stage; at least one
  const LaneProgram* program_;         ///< of the stage that runs, or ran last
  std::unique_ptr<Endpoint> endpoint_;
  const Clock& clock_;
  LaneTiming timing_;

  std::vector<std::uint32_t> inputs_left_;   ///< by gate
  std::vector<std::size_t> elements_done_;   ///< by operation
  std::vector<std::size_t> wakeups_given_;   ///< by operation
  std::vector<std::size_t> posted_;          ///< by 2 * channel + kind
  std::vector<OperationTimes> times_;        ///< by operation
  std::vector<TimePoint> startable_;         ///< by operation: since when a send could start up
  TimePoint next_start_ = TimePoint::max();  ///< when the next send has started up
  std::size_t operations_left_ = 0;
  bool recording_ = false;
};

}  // namespace gradwire::transport
