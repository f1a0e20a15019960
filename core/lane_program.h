#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/plan.h"

namespace gradwire {

/// The channels of a lane: its peers, each once, in order of first use (sends before receives
/// within a step). A channel is known by its index here.
[[nodiscard]] std::vector<Peer> channels_of(const Lane& lane);
/// The most elements that a receive of the lane from `peer` adds; 0 when none adds.
[[nodiscard]] std::size_t most_added(const Lane& lane, const Peer& peer);

/// One transfer of a lane.
struct Operation {
  enum class Kind : std::uint8_t { send, receive } kind;
  Combine how;            ///< effect of a receive; unused for a send
  std::uint32_t channel;  ///< index into channels_of(lane)
  std::size_t step;       ///< step of the lane
  Extent extent;
};

/// A gate takes one input when the first `needed` elements of an operation are done.
struct Wakeup {
  std::size_t needed;
  std::size_t gate;
};

/// A lane prepared for execution and simulation: its transfers in step order, and which must wait
/// for which.
///
/// An operation waits for operations of earlier steps whose extents overlap its own:
///   - a send for receives: what it carries must be complete;
///   - a receive for sends: what it overwrites must have left;
///   - a receive for receives, unless both add: additions commute, replacing does not. With
///     Stepping::ordered_sums also where both add.
/// With Stepping::in_order a send waits for every receive of every earlier step, with one_by_one
/// for every send, too. Operations of one channel and direction also start in step order. Every
/// wait points to an earlier step, so some operation can always proceed.
///
/// Operations that wait for the same operations stand behind one gate, which opens when it has had
/// all its inputs: a parameter server's 1023 answers do not each wait for the same 1023 pushes.
/// core/lane_program.cc says how gates are made, and why they suffice.
class LaneProgram {
 public:
  /// Prepares all steps of the lane. Takes time in proportion to the operations, their wakeups and
  /// the pieces into which all extents cut the elements.
  explicit LaneProgram(const Lane& lane, Stepping stepping = Stepping::overlapped);
  /// Prepares some of the lane's steps, over the channels of the whole lane.
  LaneProgram(const Lane& lane, StepRange steps, Stepping stepping);

  /// The channels of the whole lane, numbered like channels_of().
  [[nodiscard]] std::span<const Peer> channels() const { return channels_; }
  /// All transfers, in step order; an operation is known by its index here.
  [[nodiscard]] std::span<const Operation> operations() const { return operations_; }
  /// The operations of a channel and direction, in the order in which they start.
  [[nodiscard]] std::span<const std::uint32_t> queue(std::size_t channel,
                                                     Operation::Kind kind) const;

  /// The number of inputs that each gate needs. A gate that needs none is open from the beginning.
  [[nodiscard]] std::span<const std::uint32_t> gate_inputs() const { return inputs_; }
  /// The gate that `operation` waits behind.
  [[nodiscard]] std::size_t gate_of(std::size_t operation) const { return gate_of_[operation]; }
  /// The operations behind a gate, ascending.
  [[nodiscard]] std::span<const std::uint32_t> behind(std::size_t gate) const;
  /// The gate that takes an input when `gate` opens.
  [[nodiscard]] std::optional<std::size_t> next_gate(std::size_t gate) const;
  /// The wakeups that `operation` causes, by rising `needed`.
  [[nodiscard]] std::span<const Wakeup> wakeups(std::size_t operation) const;
  /// Has the processor prefetch the memory that wakeups() reads.
  void expect_wakeups(std::size_t operation) const {
    __builtin_prefetch(&wakeups_.starts[operation]);
  }

 private:
  class Builder;

  /// Lists of varying length, one after the other: list i is [starts[i], starts[i + 1]).
  template <class T>
  struct Lists {
    std::vector<std::uint32_t> starts;
    std::vector<T> items;

    /// Makes `lists` lists of item_of(i) for all i < count, each in list_of(i), in this order.
    template <class ListOf, class ItemOf>
    void fill(std::size_t lists, std::size_t count, ListOf list_of, ItemOf item_of) {
      starts.assign(lists + 1, 0);
      for (std::size_t i = 0; i < count; ++i) ++starts[list_of(i) + 1];
      for (std::size_t list = 0; list < lists; ++list) starts[list + 1] += starts[list];
      std::vector<std::uint32_t> next(starts.begin(), starts.end());
      items.resize(count);
      for (std::size_t i = 0; i < count; ++i) items[next[list_of(i)]++] = item_of(i);
    }
    [[nodiscard]] std::span<T> at(std::size_t list) {
      return std::span(items).subspan(starts[list], starts[list + 1] - starts[list]);
    }
    [[nodiscard]] std::span<const T> at(std::size_t list) const {
      return std::span(items).subspan(starts[list], starts[list + 1] - starts[list]);
    }
  };

  std::vector<Peer> channels_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> gate_of_;  ///< by operation
  std::vector<std::uint32_t> inputs_;   ///< by gate
  /// The next gate + 1, by gate; 0 for none. Gates beyond its end have none.
  std::vector<std::uint32_t> next_gate_;
  Lists<std::uint32_t> queues_;  ///< 2 * channel + kind
  Lists<std::uint32_t> behind_;  ///< by gate
  Lists<Wakeup> wakeups_;        ///< by operation
};

}  // namespace gradwire
