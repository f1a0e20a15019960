#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/plan.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/loopback/pipe.h"

namespace gradwire::transport::loopback {

/// One direction of a channel: from a port of one rank to a port of another.
struct Direction {
  std::size_t lane = 0;
  Rank from;
  Port via;
  Rank to;
  Port at;

  friend constexpr auto operator<=>(const Direction&, const Direction&) = default;
};

/// Wire that the ranks of one process share. Thread-safe.
class Fabric {
 public:
  /// Makes a wire without channels. The clock must outlive it.
  explicit Fabric(const Clock& clock) : clock_(clock) {}

  /// Injects a fault into the traffic from one rank to another. Must be called before they connect.
  void inject(Rank from, Rank to, const Fault& fault);

  /// The pipe of one direction of a channel, with room for `messages`. The first caller makes it.
  [[nodiscard]] std::shared_ptr<Pipe> pipe(const Direction& direction, std::size_t messages);

  /// The clock that the fabric was made with.
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::pair<Rank, Rank>, Fault> faults_;
  std::map<Direction, std::shared_ptr<Pipe>> pipes_;
};

/// Connects the lanes of `plan` on rank `self`. Returns an endpoint per lane. `gradient` is the
/// buffer that the Plan's extents refer to; it, the fabric's clock and the cancellation must
/// outlive the endpoints. Every rank must have connected before any of them executes.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                             Elements gradient, Fabric& fabric,
                                                             const Cancellation& cancellation);

}  // namespace gradwire::transport::loopback
