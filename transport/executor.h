#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/plan.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/lane_runner.h"

namespace gradwire::transport {

/// Record of one send or receive that was executed.
struct Transfer {
  std::size_t lane = 0;
  Operation operation;
  Peer peer;
  OperationTimes times;
};

/// Executor of one rank's Plan over connected endpoints, stage by stage. The first lane runs on the
/// calling thread, every other on a thread of its own, which is kept between runs.
class Executor {
 public:
  /// Takes an endpoint per lane: `endpoints[t]` serves lane t. The endpoints watch `cancellation`,
  /// which must outlive the executor. Throws SystemError when it cannot start threads for the
  /// lanes.
  Executor(const StagedPlan& staged, std::vector<std::unique_ptr<Endpoint>> endpoints,
           Cancellation& cancellation, const LaneOptions& options);
  /// Takes a Plan that is one stage, otherwise as above.
  Executor(const Plan& plan, std::vector<std::unique_ptr<Endpoint>> endpoints,
           Cancellation& cancellation, const LaneOptions& options);
  /// Cancels the running stage and joins the threads.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Runs a stage once on the gradient that the endpoints were connected with. Blocks until every
  /// lane is done. When a lane fails the others are cancelled, and the first failure that was not a
  /// cancellation is thrown (FabricError); the executor cannot be used after that. One thread at a
  /// time calls it.
  void execute(std::size_t stage = 0);

  /// Lets execute() work on `gradient`, of the same type and size, instead of the one that the
  /// endpoints were connected with. Must not be called while it runs. Throws as Endpoint::move_to.
  void move_to(Elements gradient);

  /// A failure that names a peer that acknowledges nothing, perhaps because the last send is lost.
  /// Nothing when there is none. Must not be called while execute() runs.
  [[nodiscard]] std::optional<FabricError> unanswered() const;

  /// Sets whether execute() notes the times of its transfers. Must not be called while it runs.
  void record(bool on) { recording_ = on; }
  /// The transfers of the last execute(), lane by lane, with their times if it recorded.
  [[nodiscard]] std::vector<Transfer> last_transfers() const;

 private:
  void start_threads();
  /// Cancels the running stage and joins the threads.
  void stop();
  /// Body of a lane's own thread.
  void serve(std::size_t number);
  /// Runs the stage on a lane. Notes a failure and cancels the other lanes.
  void run_lane(std::size_t number) noexcept;
  /// Throws the failure to report, if a lane has failed.
  void throw_failure();

  Cancellation& cancellation_;
  std::vector<std::unique_ptr<LaneRunner>> lanes_;
  std::vector<std::exception_ptr> failures_;  ///< by lane; read after the lane is done
  std::size_t stage_ = 0;                     ///< stage of the run; written before run_ rises
  bool recording_ = false;                    ///< written before run_ rises
  std::atomic<std::uint64_t> run_ = 0;        ///< number of the run; its rise starts the lanes
  std::atomic<std::size_t> busy_ = 0;         ///< lanes still running on threads of their own
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;  ///< threads of lanes 1, 2, ...
};

}  // namespace gradwire::transport
