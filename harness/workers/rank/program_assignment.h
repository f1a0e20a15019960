#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/channel_end.h"
#include "harness/workers/rank/program_streams.h"
#include "schedule/jobs/channels.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::workers {

/// A rank of a job of many collectives (schedule/jobs/job.h), or a host that runs none.
///
///     set up    connect the job's channels (schedule/jobs/channels.h), those of a round at once
///     run       a thread per stream computes and calls; as many iterations as the job says, one right
///               after the other, from a moment on that all ranks agree on
///
/// What is iterated is such a run. A run that is to be checked is a single iteration, in which every
/// call gets data of its own, and each result is looked at before the next node: its times are not
/// those of the job. In any other run one call of each channel, in the last iteration, works on data
/// of its own, which is put there before the run and looked at after it; which one it is goes by the
/// run's number.
class ProgramAssignment final : public Assignment {
 public:
  /// Requires a job with graphs. Collective, as make_assignment.
  ProgramAssignment(const Job& job, const WorkerContext& context);

  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override;

 private:
  /// Call of this rank in a node.
  struct OwnCall {
    ChannelEnd* channel = nullptr;  ///< null where the node computes
    jobs::ChannelCall place;
    std::size_t calls = 0;  ///< calls of the channel, in an iteration
  };

  void connect(const Job& job);
  void connect_channel(const Job& job, const jobs::Channels& channels, std::size_t channel);
  /// A little later than the moment at which the last rank comes here. The same on all ranks.
  [[nodiscard]] TimePoint agree_on_start() const;
  void perform(std::size_t node, std::size_t iteration);
  /// Whether a call of this run is the one whose result is looked at.
  [[nodiscard]] bool is_witness(const OwnCall& call) const;
  void fill_witnesses();
  void verify_witnesses();
  /// Number that decides the values of a call's data.
  [[nodiscard]] std::size_t number_of(const OwnCall& call) const;
  void count(std::size_t wrong);

  WorkerContext context_;
  Rank host_;
  std::shared_ptr<const jobs::Job> job_;  ///< null on a host that runs none, as all below
  Rank rank_;                             ///< in the job
  ProgramRun run_;                        ///< complete but for its start, which is one of each run
  Nanoseconds late_{};                    ///< when the job begins, counted from the run's start
  std::vector<std::unique_ptr<ChannelEnd>> channels_;  ///< by number in the job; null of others
  std::vector<OwnCall> calls_;                         ///< by node
  std::optional<ProgramStreams> streams_;
  IterationRequest request_;               ///< request for the run under way
  std::atomic<std::size_t> wrong_ = 0;     ///< elements, in it
  std::atomic<std::size_t> verified_ = 0;  ///< calls, in it
};

}  // namespace gradwire::workers
