#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "core/clock.h"
#include "results/record/rank_iteration.h"
#include "schedule/jobs/job.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// Number of times that a program runs, and from when on.
struct ProgramRun {
  TimePoint start{};           ///< start of the first iteration
  std::size_t iterations = 1;  ///< one right after the other
  std::size_t counted = 1;     ///< the first ones of these, whose ends are told
};

/// Runs a rank's program with a thread for each stream, as schedule/jobs/job.h says when nodes begin. Computing
/// passes time, without a processor. It begins on the dot when what it waits for is over, however late
/// its thread wakes up; it is over when the thread has seen its time pass.
class ProgramStreams {
 public:
  /// Makes a call of this rank, in an iteration that counts from 0. Called by the threads of several
  /// streams at once; a stream's thread calls it for one node after the other.
  using Perform = std::function<void(std::size_t node, std::size_t iteration)>;

  /// Objects that all streams use. The references must outlive the streams.
  struct Surroundings {
    const Clock& clock;
    transport::Cancellation& cancellation;
  };

  /// Computing, lags and starts take `dilation` times as long as the program says, which must outlive
  /// the streams.
  ProgramStreams(const jobs::Program& program, double dilation, Perform perform,
                 const Surroundings& surroundings);

  /// Number of streams, and so of threads.
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }

  /// Runs the program. Blocks until all iterations are over. When a call throws, the cancellation is
  /// requested, and what says most of the cause is thrown: a FabricError that is no cancellation, if
  /// there is one. Returns the times of what counts. Throws SystemError when there are no threads.
  [[nodiscard]] record::RankProgram run(const ProgramRun& run);

 private:
  /// Nodes of a stream, in order.
  using Stream = std::vector<std::uint32_t>;

  void live(const Stream& stream) noexcept;
  void run_stream(const Stream& stream);
  /// Waits until a node may begin but for its time. Returns when that is, and what it waited for last.
  [[nodiscard]] record::RankNode await(std::uint32_t node, std::size_t iteration);
  /// When the end of a node lets another begin.
  [[nodiscard]] TimePoint ready_after(std::uint32_t before, std::uint32_t node) const;
  [[nodiscard]] TimePoint compute(const jobs::Compute& what, TimePoint ready) const;
  /// Notes that a node is over, and goes to the next iteration if it was the last.
  void complete(std::uint32_t node, const record::RankNode& times);
  void await_iteration(std::size_t iteration);
  /// Sleeps until then. Throws transport::Cancelled.
  void sleep_until(TimePoint when) const;
  [[nodiscard]] Nanoseconds dilated(Seconds time) const;
  void fail() noexcept;
  [[noreturn]] void throw_failure() const;

  const jobs::Program& program_;
  double dilation_;
  Perform perform_;
  Surroundings surroundings_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t>
      before_;  ///< by node: the one before it on its stream, or RankNode::kNone

  std::mutex mutex_;  ///< guards all below
  std::condition_variable changed_;
  ProgramRun run_;
  std::size_t iteration_ = 0;  ///< under way
  TimePoint begun_{};          ///< when it began
  TimePoint last_{};           ///< end of a node in it
  std::size_t left_ = 0;       ///< nodes of it that are not over
  std::vector<bool> over_;     ///< by node
  std::vector<record::RankNode> times_;
  record::RankProgram result_;
  std::vector<std::exception_ptr> failures_;
};

}  // namespace gradwire::workers
