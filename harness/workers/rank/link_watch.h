#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "harness/workers/failure.h"
#include "results/record/rank_iteration.h"
#include "testbed/link_history.h"
#include "testbed/link_state.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// Watches the links of a rank's data ports in a thread of its own. A link that is down makes the
/// rank fail by itself, with its own rank and port, however long others would wait for it: TCP
/// notices nothing until its timeout, and then each neighbour blames another. What happens to a
/// link without ending the run is kept, for the row.
class LinkWatch {
 public:
  /// A link may be down for so long: connections survive a flap of a second. Together with the
  /// second that the kernel may take to tell, and what the harness gives the other ranks for their
  /// last words, a link is named within 3 s.
  static constexpr Nanoseconds kGrace = std::chrono::milliseconds(1250);

  struct Options {
    Rank rank;
    std::vector<std::string> interfaces;  ///< by Port
    const Clock& clock;                   ///< must outlive it
    /// Called at most once, from the watching thread, when a link has been down for kGrace.
    std::function<void(const Failure&)> report;
  };

  /// Watches in the network namespace that the calling thread is in; links as they are now are as
  /// they should be. Throws SystemError.
  explicit LinkWatch(Options options);
  ~LinkWatch();
  LinkWatch(const LinkWatch&) = delete;
  LinkWatch& operator=(const LinkWatch&) = delete;

  [[nodiscard]] const std::vector<std::string>& interfaces() const { return options_.interfaces; }

  /// Reason why the rank failed: what was reported, or else the link that is down now, if there is
  /// one and `error` can come from it; else the error itself. Thread-safe.
  [[nodiscard]] Failure explain(const std::exception& error);

  /// Events on the links since the last call, but for what was over before `since`.
  /// Thread-safe.
  [[nodiscard]] std::vector<record::LinkEvent> take_events(TimePoint since);

 private:
  using Outage = testbed::LinkHistory::Outage;

  void watch();
  /// Reads the states of the links. Returns what is down.
  [[nodiscard]] std::vector<Outage> look();
  /// Failure that tells of links that are down. Requires one.
  [[nodiscard]] Failure down(const std::vector<Outage>& outages) const;

  Options options_;
  FileDescriptor news_;
  transport::Cancellation stop_;
  std::mutex mutex_;
  testbed::LinkReader reader_;  ///< guarded by mutex_, as what follows
  testbed::LinkHistory history_;
  std::optional<Failure> reported_;
  std::thread watcher_;
};

}  // namespace gradwire::workers
