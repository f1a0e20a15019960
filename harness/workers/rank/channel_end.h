#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/dtype.h"
#include "core/elements.h"
#include "core/error.h"
#include "core/goal.h"
#include "core/plan.h"
#include "harness/workers/rank/goal_check.h"
#include "harness/workers/rank/rank_memory.h"
#include "transport/execution/connect.h"
#include "transport/executor.h"

namespace gradwire::workers {

/// Task of a rank in a channel of a job (schedule/jobs/channels.h), by size. Goals are of all hosts
/// of the wiring, and so are the ranks of Plans.
struct ChannelTask {
  Dtype type = Dtype::float32;
  std::uint64_t seed = 0;
  std::vector<Goal> goals;
  std::vector<Plan> plans;  ///< the rank's
};

/// Place where a collective of a channel finds its data.
enum class Bench : std::uint8_t {
  work,     ///< the one where all of the channel work; what one leaves, the next begins with
  witness,  ///< beside that: for the one of a run whose result is looked at
};

/// One rank's end of a channel: connections of its own, and memory for the largest of the channel's
/// collectives, twice. A collective has the same Plan on either bench. One thread uses it at a time.
class ChannelEnd {
 public:
  /// Connects the rank. Collective among all hosts: those that take no part call connect_nobody.
  /// What `ends` refers to must outlive it. Throws FabricError, InputError, std::bad_alloc.
  ChannelEnd(ChannelTask task, const execution::RankEnds& ends);

  /// Sets all memory to 0: numbers that were summed again and again are no longer any.
  void clear();
  /// Puts what the rank begins with in a collective of this size on the bench. `number` decides the
  /// values.
  void fill(std::size_t size, Bench bench, std::size_t number);
  /// Runs a collective of this size. Collective among the channel's members: blocks until this rank is
  /// done. Throws FabricError.
  void run(std::size_t size, Bench bench);
  /// Number of wrong elements in what run() has left on the bench, after fill() with the same
  /// number.
  [[nodiscard]] std::size_t count_wrong(std::size_t size, Bench bench, std::size_t number);

  /// Number of threads of its own: one for each lane but the first.
  [[nodiscard]] std::size_t threads() const { return threads_; }
  /// The peer that acknowledges nothing of what was sent to it. Not while it runs.
  [[nodiscard]] std::optional<FabricError> unanswered() const { return executor_->unanswered(); }

 private:
  [[nodiscard]] HostMemory memory(Bench bench) const;

  std::vector<GoalCheck> checks_;  ///< by size
  std::size_t elements_ = 0;       ///< elements of a bench
  ElementBuffer buffer_;           ///< memory of both benches
  std::size_t threads_ = 0;
  std::unique_ptr<transport::Executor> executor_;
};

/// Takes part in the connecting of channels that this rank is no member of. Collective. Throws as
/// ChannelEnd.
void connect_nobody(const execution::RankEnds& ends);

}  // namespace gradwire::workers
