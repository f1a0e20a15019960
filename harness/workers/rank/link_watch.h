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
#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "harness/workers/failure.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// Watches the links of a rank's data ports in a thread of its own. A link that is down makes the
/// rank fail by itself, with its own rank and port, however long others would wait for it: TCP
/// notices nothing until its timeout, and then each neighbour blames another.
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
    std::function<void(const FabricError&)> report;
  };

  /// Watches in the network namespace that the calling thread is in. Throws SystemError.
  explicit LinkWatch(Options options);
  ~LinkWatch();
  LinkWatch(const LinkWatch&) = delete;
  LinkWatch& operator=(const LinkWatch&) = delete;

  [[nodiscard]] const std::vector<std::string>& interfaces() const { return options_.interfaces; }

  /// What made the rank fail: what was reported, or else the link that is down now, if there is one
  /// and `error` can come from it; else the error itself. Thread-safe.
  [[nodiscard]] Failure explain(const std::exception& error) const;

 private:
  void watch();
  /// Notes which links are down. When the first of them will have been down for kGrace; max when
  /// all are up.
  [[nodiscard]] TimePoint look();
  [[nodiscard]] std::optional<FabricError> find_down() const;

  Options options_;
  FileDescriptor news_;
  transport::Cancellation stop_;
  mutable std::mutex mutex_;
  std::optional<FabricError> reported_;               ///< guarded by mutex_
  std::vector<std::optional<TimePoint>> down_since_;  ///< by Port
  std::thread watcher_;
};

}  // namespace gradwire::workers
