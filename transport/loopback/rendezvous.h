#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/id.h"
#include "core/units.h"
#include "transport/rendezvous.h"

namespace gradwire::transport::loopback {

/// Rendezvous for the ranks of one process. Thread-safe.
class MeetingPoint {
 public:
  /// Makes one for `ranks` ranks; each waits at most `patience` for the others.
  explicit MeetingPoint(std::size_t ranks, Nanoseconds patience = std::chrono::seconds(10));

  /// Contributes `mine` and returns the contributions of all ranks, by rank. Blocks until all have
  /// come. When one does not come in time, throws FabricError(stalled), whose peer is the first
  /// missing rank and whose text lists all of them. Throws FabricError(cancelled) once it is
  /// closed.
  [[nodiscard]] std::vector<std::string> meet(Rank self, const std::string& mine);

  /// Wakes all ranks that wait and refuses those that come later.
  void close();

 private:
  [[nodiscard]] FabricError missing(Rank self) const;

  const std::size_t ranks_;
  const Nanoseconds patience_;
  std::mutex mutex_;
  std::condition_variable complete_;
  std::vector<std::string> brought_;
  std::vector<bool> is_here_;          ///< in this round
  std::vector<std::string> gathered_;  ///< texts of the last complete round
  std::size_t present_ = 0;
  std::size_t round_ = 0;
  bool is_closed_ = false;
};

/// View that one rank has of a MeetingPoint, which must outlive it.
class LocalRendezvous final : public Rendezvous {
 public:
  LocalRendezvous(MeetingPoint& point, Rank self) : point_(point), self_(self) {}

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override {
    return point_.meet(self_, mine);
  }
  void barrier() override { static_cast<void>(point_.meet(self_, "")); }

 private:
  MeetingPoint& point_;
  Rank self_;
};

}  // namespace gradwire::transport::loopback
