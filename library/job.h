#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectives/algorithms/algorithm.h"
#include "core/clock.h"
#include "core/elements.h"
#include "core/error.h"
#include "core/text/spec.h"
#include "library/line.h"
#include "library/settings.h"
#include "topologies/topology.h"
#include "transport/authentication.h"
#include "transport/cancellation.h"
#include "transport/execution/connect.h"
#include "transport/executor.h"
#include "transport/port_binding.h"
#include "transport/store/client.h"
#include "transport/store/server.h"

namespace gradwire::library {

/// The size of a program's `count` elements in bytes. Throws InputError where they cannot be at
/// `memory`.
[[nodiscard]] std::size_t bytes_of(std::size_t count, Dtype type, const void* memory);

/// Call of a collective by all ranks, on elements of one type.
struct Call {
  text::Spec collective;  ///< algorithm of an all-reduce, or name of a collective
  std::size_t count = 0;
  Dtype type = Dtype::float32;
  bool adds = true;  ///< it sums elements, and does not only move them

  friend bool operator==(const Call&, const Call&) = default;
};

/// Part of one rank in a job: it has met the others at the store, and runs the calls that all of
/// them make. Used by one thread at a time, unless a function says otherwise.
class Job {
 public:
  /// Joins the job; rank 0 opens the store. Blocks until all ranks have come. Throws InputError,
  /// FabricError, SystemError.
  explicit Job(Settings settings);
  /// Leaves the job. Rank 0 waits for the others, for the job's timeout at most, or only until they
  /// have been told when the job has failed.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] Rank self() const { return settings_.self; }
  [[nodiscard]] std::size_t ranks() const { return settings_.ranks; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  /// The call that sums with the job's algorithm.
  [[nodiscard]] Call all_reduce(std::size_t count, Dtype type) const;
  /// The call of another collective by its name, with a root where it takes one. Throws InputError
  /// for a root that is no rank.
  [[nodiscard]] Call collective(const std::string& name, std::size_t count, Dtype type,
                                std::optional<int> root = std::nullopt) const;

  /// Runs a collective on the call's elements at `memory`. Collective: blocks until this rank is
  /// done. Throws InputError for a call that no rank can run, after which the job goes on;
  /// FabricError, SystemError and others, after which it throws the same again.
  void run(const Call& call, void* memory);
  /// Blocks until all ranks have called it. Throws as run().
  void barrier();

  /// Sends elements to another rank, which receives them. Blocks until the memory may be used
  /// again. Runs beside other threads' calls, and beside their messages to other ranks and from
  /// any. Throws as run().
  void send(Rank to, std::size_t count, Dtype type, const void* memory);
  /// Receives the next message of another rank. Blocks until it is there. Runs beside others as
  /// send() does. Throws as run(), and FabricError when the message has another count or type.
  void receive(Rank from, std::size_t count, Dtype type, void* memory);

  /// Gives up the job: everything that waits in it fails at once, on all ranks, by the fault of
  /// this one. Any thread may call it.
  void abort() noexcept;

  /// The rank at fault once the job has failed, if one is known. Any thread may call it.
  [[nodiscard]] std::optional<Rank> culprit() const;

 private:
  /// Call for which ranks are connected.
  struct Prepared {
    Call call;
    ElementBuffer registered;  ///< elements for transports whose memory must stay where it is
    std::unique_ptr<transport::Executor> executor;
  };

  void open_store();
  /// Checks that all ranks have the same settings. Throws FabricError if not.
  void require_same_settings();
  /// This rank's Plan of the call. Throws InputError.
  [[nodiscard]] Plan plan_of(const Call& call) const;
  /// Makes the call the first of the prepared ones. False when it is none of them.
  [[nodiscard]] bool recall(const Call& call);
  /// Connects for a call. Replaces the one that was not used for longest when there are too many.
  void prepare(const Call& call, const Plan& plan, Elements elements);
  /// Runs the first prepared call.
  void execute(Elements elements);
  /// Runs `work`. A failure is reported to the others, and is the job's from then on. Any thread
  /// may call it.
  template <class Work>
  void guarded(const Work& work);
  /// Runs `work` as guarded(), with the connections for collectives, which end when the job fails.
  template <class Work>
  void collectively(const Work& work);
  /// Runs `work` on the line between this rank and another, which it connects if necessary.
  template <class Work>
  void on_line(const Line::Way& way, const Work& work);
  /// The failure as the store sees it, which hears all ranks.
  [[nodiscard]] FabricError judged(const FabricError& seen);
  void fail(std::exception_ptr failure);
  /// The failure of the job; null while it has none.
  [[nodiscard]] std::exception_ptr failure() const;
  [[nodiscard]] execution::RankEnds ends();

  Settings settings_;
  SteadyClock clock_;
  std::unique_ptr<const topologies::Topology> wiring_;  ///< null for a single rank
  algorithms::Algorithm summing_;  ///< the all-reduce of the settings; none for a single rank
  transport::Cancellation cancellation_;
  std::unique_ptr<transport::store::Server> server_;  ///< the store's server, at rank 0; else null
  std::unique_ptr<transport::store::Client> client_;  ///< null for a single rank
  std::vector<transport::PortBinding> ports_;
  std::list<Prepared> prepared_;  ///< most recently used first
  mutable std::mutex mutex_;
  /// Lines by sender and receiver; null while one is being connected. Guarded, but not the lines
  /// themselves.
  std::map<std::pair<Rank, Rank>, std::unique_ptr<Line>> lines_;
  std::exception_ptr failure_;  ///< guarded
  std::atomic<std::int64_t> culprit_ = -1;
};

}  // namespace gradwire::library
