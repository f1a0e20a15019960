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

/// The bytes of so many elements of a program's. Throws InputError where they cannot be there.
[[nodiscard]] std::size_t bytes_of(std::size_t count, Dtype type, const void* memory);

/// A collective that all ranks call, on elements of one type.
struct Call {
  text::Spec collective;  ///< an algorithm of an all-reduce, or a collective's name
  std::size_t count = 0;
  Dtype type = Dtype::float32;
  bool adds = true;  ///< it sums elements, and does not only move them

  friend bool operator==(const Call&, const Call&) = default;
};

/// One rank's part in a job: it has met the others at the store, and runs what all of them call. Used
/// by one thread at a time, where nothing else is said.
class Job {
 public:
  /// Joins: rank 0 opens the store. Blocks until all ranks have come. Throws InputError, FabricError,
  /// SystemError.
  explicit Job(Settings settings);
  /// Leaves. Rank 0 waits for the others, for the job's timeout at most, or only until they have been
  /// told when the job has failed.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] Rank self() const { return settings_.self; }
  [[nodiscard]] std::size_t ranks() const { return settings_.ranks; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  /// Sums with the job's algorithm.
  [[nodiscard]] Call all_reduce(std::size_t count, Dtype type) const;
  /// Another collective by its name, which takes a root or not. Throws InputError for a root that is
  /// no rank.
  [[nodiscard]] Call collective(const std::string& name, std::size_t count, Dtype type,
                                std::optional<int> root = std::nullopt) const;

  /// Runs a collective on the call's elements at `memory`. Collective: blocks until this rank is done.
  /// Throws InputError for what no rank can run, after which the job goes on; FabricError, SystemError
  /// and others after which it throws the same again.
  void run(const Call& call, void* memory);
  /// Blocks until all ranks have called it. Throws as run().
  void barrier();

  /// Sends elements to another rank, which receives them. Blocks until the memory may be used again.
  /// Goes on beside what other threads run, and beside what they send to other ranks and receive.
  /// Throws as run().
  void send(Rank to, std::size_t count, Dtype type, const void* memory);
  /// Receives what another rank sends, in its order. Blocks until it is there. Goes on as send() does.
  /// Throws as run(), and FabricError when the next that was sent has another count or type.
  void receive(Rank from, std::size_t count, Dtype type, void* memory);

  /// Gives the job up: whatever is waited for in it fails at once, on all ranks, by the fault of this
  /// one. Any thread may.
  void abort() noexcept;

  /// The rank at fault once the job has failed, if one is known. Any thread may ask.
  [[nodiscard]] std::optional<Rank> culprit() const;

 private:
  /// A call that ranks are connected for.
  struct Prepared {
    Call call;
    ElementBuffer registered;  ///< of a transport whose memory must stay where it is
    std::unique_ptr<transport::Executor> executor;
  };

  void open_store();
  /// Throws FabricError when not all ranks have been told the same.
  void require_same_settings();
  /// This rank's Plan of the call. Throws InputError.
  [[nodiscard]] Plan plan_of(const Call& call) const;
  /// Makes the call the first of those that are prepared. False when it is none of them.
  [[nodiscard]] bool recall(const Call& call);
  /// Connects for a call, in the place of the one that was not used for longest.
  void prepare(const Call& call, const Plan& plan, Elements elements);
  /// Runs the first call that is prepared.
  void execute(Elements elements);
  /// Runs `work`; a failure is told to the others, and is the job's from then on. Any thread may.
  template <class Work>
  void guarded(const Work& work);
  /// The same with the connections for collectives, which end when the job fails.
  template <class Work>
  void collectively(const Work& work);
  /// Runs `work` on the line between this rank and another, which is connected when it is not yet.
  template <class Work>
  void on_line(const Line::Way& way, const Work& work);
  /// A failure as the store, which hears all ranks, sees it.
  [[nodiscard]] FabricError judged(const FabricError& seen);
  void fail(std::exception_ptr failure);
  /// The failure of the job; null while it has none.
  [[nodiscard]] std::exception_ptr failure() const;
  [[nodiscard]] execution::RankEnds ends();

  Settings settings_;
  SteadyClock clock_;
  std::unique_ptr<const topologies::Topology> wiring_;  ///< absent for a single rank
  transport::Cancellation cancellation_;
  std::unique_ptr<transport::store::Server> server_;  ///< of rank 0
  std::unique_ptr<transport::store::Client> client_;  ///< absent for a single rank
  std::vector<transport::PortBinding> ports_;
  std::list<Prepared> prepared_;  ///< the last used first
  mutable std::mutex mutex_;
  /// By sender and receiver; absent while it is connected. Guarded, not what is in it.
  std::map<std::pair<Rank, Rank>, std::unique_ptr<Line>> lines_;
  std::exception_ptr failure_;  ///< guarded
  std::atomic<std::int64_t> culprit_ = -1;
};

}  // namespace gradwire::library
