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

/// How far the steps of a lane may overlap.
enum class Stepping : std::uint8_t {
  overlapped,  ///< as far as the extents allow
  in_order,    ///< a step's sends wait for all receives of the step before
};

/// A lane, prepared for execution: its transfers in step order, and who must wait for whom.
///
/// An operation waits for those of earlier steps whose extent overlaps its own:
///   - a send for receives: what it carries must be complete;
///   - a receive for sends: what it overwrites must have left;
///   - a receive for receives, unless both add: additions commute, replacing does not.
/// In order, a send also waits for every receive of the last step before it that has any. Plans of
/// several lanes run like that: in each step a port serves one lane, and a lane that ran ahead
/// would take bandwidth from another lane that is still in the step before, which its peers wait
/// for (BML loses 30 % that way). Operations of one channel and direction also start in step order.
/// Every wait points to an earlier step, so some operation can always proceed.
class LaneProgram {
 public:
  explicit LaneProgram(const Lane& lane, Stepping stepping = Stepping::overlapped);
  /// Some of the lane's steps, over the channels of the whole lane.
  LaneProgram(const Lane& lane, StepRange steps, Stepping stepping);

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
  void add_waits(Stepping stepping);
  void add_wait(std::size_t blocker, std::size_t needed, std::size_t waiter);

  std::vector<Peer> channels_;
  std::vector<Operation> operations_;
  std::vector<std::vector<std::size_t>> queues_;  ///< 2 * channel + kind
  std::vector<std::size_t> blockers_;
  std::vector<std::vector<Wakeup>> wakeups_;
};

}  // namespace gradwire::transport
