#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan.h"

namespace gradwire::transport {

/// One transfer of a lane.
struct Operation {
  enum class Kind : std::uint8_t { send, receive } kind;
  std::size_t channel;
  std::size_t step;
  Extent extent;
  Combine how;  ///< of a receive
};

/// Operation `waiter` may not start before the first `needed` elements of its blocker are done.
struct Wakeup {
  std::size_t needed;
  std::size_t waiter;
};

/// A lane, prepared for execution: its transfers in step order, and who must wait for whom.
///
/// An operation waits for those of earlier steps whose extent overlaps its own:
///   - a send for receives: what it carries must be complete;
///   - a receive for sends: what it overwrites must have left;
///   - a receive for receives, unless both add: additions commute, replacing does not.
/// Operations of one channel and direction also start in step order. Every wait points to an
/// earlier step, so some operation can always proceed.
class LaneProgram {
 public:
  explicit LaneProgram(const Lane& lane);

  [[nodiscard]] std::span<const Peer> channels() const { return channels_; }
  [[nodiscard]] std::span<const Operation> operations() const { return operations_; }
  /// The operations of a channel and direction, in the order in which they start.
  [[nodiscard]] std::span<const std::size_t> queue(std::size_t channel, Operation::Kind kind) const;
  /// How many operations each operation waits for.
  [[nodiscard]] std::span<const std::size_t> blockers() const { return blockers_; }
  /// Who waits for `operation`, by rising `needed`.
  [[nodiscard]] std::span<const Wakeup> wakeups(std::size_t operation) const {
    return wakeups_[operation];
  }

 private:
  void add_operation(const Operation& operation);
  void add_waits();

  std::vector<Peer> channels_;
  std::vector<Operation> operations_;
  std::vector<std::vector<std::size_t>> queues_;  ///< 2 * channel + kind
  std::vector<std::size_t> blockers_;
  std::vector<std::vector<Wakeup>> wakeups_;
};

}  // namespace gradwire::transport
