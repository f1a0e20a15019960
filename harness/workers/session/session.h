#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"
#include "harness/workers/culprit.h"
#include "harness/workers/job.h"
#include "harness/workers/session/workers.h"
#include "testbed/netlink.h"
#include "topologies/topology.h"

namespace gradwire::workers {

/// One worker per rank, and the conversation with all of them. Waits for every answer with a
/// deadline. When a rank fails, the others are stopped, and the FabricError that is thrown names
/// the one to blame; the session is of no use then.
class Session {
 public:
  /// A rank's ports, by Port.
  using Ports = std::vector<transport::PortBinding>;

  /// Ground that the ranks stand on.
  struct Ground {
    std::string name;          ///< name for messages
    std::vector<Ports> ports;  ///< by rank
    execution::TransportSettings transport;
    Memory memory = Memory::host;  ///< memory where gradients will lie, for examine()
    std::shared_ptr<const topologies::Topology> wiring;  ///< tells a switch by its ports
    /// Finds what has been down between ranks for at least so long, where the harness can look.
    std::function<std::optional<FabricError>(Nanoseconds)> find_down = {};
  };

  /// The clock must outlive it.
  Session(Ground ground, std::unique_ptr<Workers> workers, const Clock& clock);

  /// A job that all workers are connected for.
  struct Assigned {
    std::size_t number = 0;       ///< among all of the session
    std::optional<JobPlan> plan;  ///< measurements and decisions of a training job
    Nanoseconds timeout{};        ///< the job's
    Nanoseconds patience{};       ///< with the workers, on top of what their communication takes
  };

  /// Gives every worker its part of a job, beside those that it has already (rank, ports, transport
  /// and key are filled in here), and blocks until all are connected. `room`: the elements of the
  /// largest job of its type that is to be assigned beside it; their gradients share memory. Throws
  /// FabricError, Interrupted.
  [[nodiscard]] Assigned assign(Job job, std::size_t room = 0);
  /// Has all workers close the job's connections and give its memory back. Throws FabricError,
  /// Interrupted.
  void finish(const Assigned& assigned);

  /// Most that the ranks' clocks may be off each other; nothing when they have one clock.
  [[nodiscard]] std::optional<Nanoseconds> clock_error() const { return clock_error_; }

  /// Findings of every rank where it runs (harness/workers/rank/surroundings.h), by rank, and as
  /// "room" what its machine has left. Throws FabricError, Interrupted.
  [[nodiscard]] std::vector<nlohmann::json> examine();
  /// Counters of what every rank's ports have carried so far: rank * ports per host + port. Throws
  /// FabricError, Interrupted.
  [[nodiscard]] std::vector<testbed::LinkCounters> count_ports();

  /// Runs one iteration of a job on all ranks. Blocks until the last has answered, at most for four
  /// times `expected`, the job's timeout, and what filling, multiplying and verifying take. By rank.
  /// Throws FabricError, Interrupted.
  [[nodiscard]] std::vector<record::RankIteration> iterate(const Assigned& assigned,
                                                           const IterationRequest& request,
                                                           Nanoseconds expected);

 private:
  struct Member {
    RankEnd end;
    std::optional<Deadline> still;                  ///< since its process was found standing still
    std::vector<record::TracedTransfer> transfers;  ///< transfers of the iteration being answered
  };

  /// Sends a worker a message; one that is gone ends the session.
  void tell(std::size_t rank, const ControlMessage& message);
  void tell_all(const ControlMessage& message);
  /// Sets how long workers are waited for from now on: as long as this job needs.
  void turn_to(const Assigned& assigned);
  /// Has the ranks compare their clocks if they differ and it is long ago.
  void agree_on_time();
  /// Blocks until every worker has sent a message of this kind, and returns what they say; answers
  /// rendezvous meanwhile, and keeps transfers. Each rendezvous that succeeds begins the patience anew.
  [[nodiscard]] std::vector<nlohmann::json> collect(Message kind, Nanoseconds patience);
  struct Collecting;
  /// Takes a rank's next message while collecting. Returns whether everybody is heard to be alive,
  /// so that patience begins anew.
  [[nodiscard]] bool take(std::size_t rank, Collecting& collecting);
  /// Waits a moment for messages; returns the ranks that have one, or have ended.
  [[nodiscard]] std::vector<std::size_t> poll_workers();
  /// Throws what has been down between the ranks for longer than connections survive.
  void look_between() const;
  void note_failure(std::size_t rank, const nlohmann::json& failure);
  void note_ending(std::size_t rank);
  [[noreturn]] void fail();
  /// Ends the session when the process of one of these ranks has been standing still for the job's
  /// timeout: nobody else may be waiting for it where a timeout would tell.
  void look_after(const std::vector<std::size_t>& missing);
  /// Error that says whom to blame for the ends of the ranks.
  [[nodiscard]] FabricError judge() const;
  /// Reads what the workers still have to say, until all have ended or the time is over.
  void hear_last_words(Nanoseconds time);
  [[nodiscard]] FabricError overdue(const std::vector<std::size_t>& missing,
                                    Nanoseconds patience) const;

  Ground ground_;
  std::unique_ptr<Workers> workers_;
  const Clock& clock_;
  std::vector<Member> members_;       ///< by rank
  std::vector<std::size_t> awaited_;  ///< ranks that the others wait for, as they say themselves
  std::optional<Nanoseconds> clock_error_;
  std::optional<Deadline> agreed_;                  ///< time until which clocks are taken to agree
  std::size_t assigned_ = 0;                        ///< number of jobs so far
  Nanoseconds patience_{};                          ///< patience of the job in its turn
  Nanoseconds timeout_ = std::chrono::seconds(10);  ///< timeout of the job in its turn
  bool asked_ = false;                              ///< all workers were asked to stop
};

}  // namespace gradwire::workers
