#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/error.h"
#include "core/lane_program.h"
#include "transport/endpoint.h"

namespace gradwire::transport {

/// Timeouts and emulated delays of a lane.
struct LaneTiming {
  /// Longest time without progress; after it the lane fails.
  Nanoseconds stall_timeout = std::chrono::seconds(10);
  /// Emulated start-up time of a message: a send leaves this long after it could. It must be
  /// shorter than the stall timeout.
  Nanoseconds startup{};
};

/// Options that the lanes of a rank share.
struct LaneOptions {
  Rank rank;           ///< named in errors
  const Clock& clock;  ///< must outlive the lanes
  LaneTiming timing = {};
  std::size_t element_bytes = sizeof(float);  ///< bytes of an element of the gradient; for errors
};

/// Times of an operation: when the endpoint got it, and when its last element was done.
struct OperationTimes {
  TimePoint posted{};
  TimePoint done{};
};

/// Runner of the stages of one lane over its endpoint, again and again. Used by one thread at a
/// time.
class LaneRunner {
 public:
  /// Runs lane number `lane` of the Plan. The Plan itself is not needed afterwards. Throws
  /// InternalError for a Plan without stages.
  LaneRunner(const StagedPlan& staged, std::size_t lane, std::unique_ptr<Endpoint> endpoint,
             const LaneOptions& options);

  /// Runs a stage once. Blocks until its last operation is done. Throws FabricError, with rank,
  /// peer, port, lane and step, when a channel breaks, when nothing moves for the stall timeout, or
  /// when cancelled. Does not allocate unless it throws. With `record`, the times of the operations
  /// are kept until the next run.
  void run(std::size_t stage, bool record);

  /// Works on another gradient from now on, as Endpoint::move_to. Must not be called during run().
  void move_to(Elements gradient) { endpoint_->move_to(gradient); }

  /// The program of the stage that runs, or ran last.
  [[nodiscard]] const LaneProgram& program() const { return stage_->program; }
  /// Times of the last run, by operation of program(). Undefined unless it recorded.
  [[nodiscard]] std::span<const OperationTimes> last_times() const { return times_; }
  /// A failure that names a peer that acknowledges nothing: the way to it, or from it, is broken.
  /// It says more than a stall, by which nothing moved. Nothing when there is none.
  [[nodiscard]] std::optional<FabricError> unanswered() const;

 private:
  /// A stage of the lane, compiled.
  struct Stage {
    LaneProgram program;
    /// The channels of the stage, in the order of first use. Sends that may start together start in
    /// this order, which is the Plan's; channels are numbered by first use in the whole lane.
    std::vector<std::uint32_t> channels;
  };

  void reset(std::size_t stage);
  /// Posts the operations of a channel that may start, in order.
  void post_ready(std::size_t channel, Operation::Kind kind);
  /// Whether the start-up time of a ready send is over; if not, notes when it will be.
  [[nodiscard]] bool started_up(std::size_t send);
  /// Posts the sends whose start-up time has ended. False when no send is starting up.
  bool post_started();
  /// Longest time that the endpoint may wait for progress.
  [[nodiscard]] Nanoseconds patience() const;
  void advance(const Progress& progress);
  /// Counts an input of a gate. With the last one, opens the gate and posts what stood behind it.
  void enter(std::size_t gate);
  /// The unfinished operation of the lowest step, of all channels or of one; null when all are
  /// done.
  [[nodiscard]] const Operation* unfinished(std::optional<std::size_t> channel) const;
  /// An error that names the operation's peer, port and step; without one, the rank and lane alone.
  [[nodiscard]] FabricError error_at(const Operation* operation, FabricFailure failure,
                                     const std::string& detail) const;
  /// The error to throw when nothing has moved for the stall timeout.
  [[nodiscard]] FabricError stalled() const;

  LaneOptions options_;
  std::size_t lane_;
  std::vector<Stage> stages_;  ///< at least one
  const Stage* stage_;         ///< stage that runs, or ran last
  std::unique_ptr<Endpoint> endpoint_;

  // As long as the largest stage needs, so that no run allocates.
  std::vector<std::uint32_t> inputs_left_;  ///< by gate
  std::vector<std::size_t> elements_done_;  ///< by operation
  std::vector<std::size_t> wakeups_given_;  ///< by operation
  std::vector<std::size_t> posted_;         ///< by 2 * channel + kind
  std::vector<OperationTimes> times_;       ///< by operation
  std::vector<TimePoint> startable_;        ///< by operation: when its start-up time began
  /// End of the next start-up time; max when no send is starting up.
  TimePoint next_start_ = TimePoint::max();
  std::size_t operations_left_ = 0;
  bool recording_ = false;
};

}  // namespace gradwire::transport
