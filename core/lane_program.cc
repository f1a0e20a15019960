#include "core/lane_program.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/segments.h"

// How the gates are made, and why they suffice.
//
// A gate counts down. It begins with its number of inputs and opens when it has had them all; then
// the operations behind it may start. An input comes when the first elements of an operation are
// done (Wakeup), or when another gate opens (next_gate).
//
// Two operations of different steps that touch the same elements conflict in three of four cases.
// The later one waits until the earlier one is done with these elements:
//
//                       later send                       later receive
//
//     earlier send      free: both only read             waits, or it would overwrite
//                                                        what has not left
//
//     earlier receive   waits, or it would send          free when both add; else waits, or
//                       what has not arrived             the wrong one would come last
//
// So every element is read and written in the order of the steps. Only additions may trade places,
// which changes their sum by no more than its rounding; with Stepping::ordered_sums they wait, too.
//
// Every wait points backwards. The Builder goes through the steps in order, and makes all gates of
// a step before it notes what that step touches and receives. So the inputs of a gate come from
// operations of earlier steps and from earlier gates, never from what stands behind it.
//
// Therefore ranks cannot block each other. Take an operation of the lowest step among all that are
// not done, on whatever rank. What its gate waits for is of lower steps, so the gate is open. What
// precedes it in the queue of its channel is not of a higher step: it is done, or its gate is open
// for the same reason. And so it is with its other end, which is in the same step of the same lane
// of its peer (core/plan_check.h). Both can start, so the operation can be done.
namespace gradwire {
namespace {

/// A hash that differs for all peers of a lane while hosts have fewer than 64 ports; beyond that it
/// is only slower.
struct PeerHash {
  std::size_t operator()(const Peer& peer) const noexcept {
    return (peer.rank.index() * 64 + peer.via.index()) * 64 + peer.at.index();
  }
};

/// The channels of a lane, and the number of each.
class Channels {
 public:
  explicit Channels(const Lane& lane) {
    for (const Step& step : lane) {
      for (const Send& send : step.sends) note(send.to);
      for (const Recv& recv : step.recvs) note(recv.from);
    }
  }
  [[nodiscard]] std::uint32_t number(const Peer& peer) const { return numbers_.at(peer); }
  [[nodiscard]] std::vector<Peer> take() { return std::move(peers_); }

 private:
  void note(const Peer& peer) {
    const auto number = static_cast<std::uint32_t>(peers_.size());
    if (numbers_.emplace(peer, number).second) peers_.push_back(peer);
  }

  std::vector<Peer> peers_;
  std::unordered_map<Peer, std::uint32_t, PeerHash> numbers_;
};

/// Whether `later`, of a later step, must wait for `earlier` where they overlap, by the table
/// above.
bool conflict(const Operation& earlier, const Operation& later, Stepping stepping) {
  using Kind = Operation::Kind;
  if (earlier.kind == Kind::send) return later.kind == Kind::receive;
  if (later.kind == Kind::send || stepping == Stepping::ordered_sums) return true;
  return earlier.how == Combine::replace || later.how == Combine::replace;
}

}  // namespace

std::vector<Peer> channels_of(const Lane& lane) {
  return Channels(lane).take();
}

std::size_t most_added(const Lane& lane, const Peer& peer) {
  std::size_t most = 0;
  for (const Step& step : lane) {
    for (const Recv& recv : step.recvs) {
      if (recv.from == peer && recv.how == Combine::add) most = std::max(most, recv.where.count);
    }
  }
  return most;
}

/// Fills in a program's gates, step by step (see the top of this file).
class LaneProgram::Builder {
 public:
  Builder(LaneProgram& program, Stepping stepping)
      : program_(program), stepping_(stepping), touched_(program.operations_) {
    program.gate_of_.resize(program.operations_.size());
    std::size_t first = 0;
    while (first < program.operations_.size()) first = add_step(first);
    finish();
  }

 private:
  /// Gives the operations of the step that begins at `first` their gates; returns where it ends.
  std::size_t add_step(std::size_t first) {
    const auto& operations = program_.operations_;
    std::size_t end = first;
    while (end < operations.size() && operations[end].step == operations[first].step) ++end;
    find_alike(first, end);
    std::optional<std::uint32_t> sends;  // the gate of all sends, unless steps overlap
    for (std::size_t i = first; i < end; ++i) {
      if (is_barred(operations[i])) {
        if (!sends) sends = add_barrier();
        program_.gate_of_[i] = *sends;
      } else if (const std::size_t alike = alike_[i - first]; alike < i) {
        program_.gate_of_[i] = program_.gate_of_[alike];
      } else {
        program_.gate_of_[i] = add_gate(operations[i]);
      }
    }
    // Only now, so that no gate of this step waits for an operation of this step.
    for (std::size_t i = first; i < end; ++i) {
      touched_.add(static_cast<std::uint32_t>(i), operations[i].extent);
      if (operations[i].kind == Operation::Kind::receive || stepping_ == Stepping::one_by_one) {
        unbarred_.push_back(static_cast<std::uint32_t>(i));
      }
    }
    return end;
  }

  /// Whether the operation waits for a barrier instead of the operations that touch its extent.
  [[nodiscard]] bool is_barred(const Operation& operation) const {
    return operation.kind == Operation::Kind::send &&
           (stepping_ == Stepping::in_order || stepping_ == Stepping::one_by_one);
  }

  /// Finds, for each operation of the step, the first one that is like it. Which operations one
  /// waits for depends only on the members compared here and on the steps before, so alike
  /// operations stand behind one gate.
  void find_alike(std::size_t first, std::size_t end) {
    const auto& operations = program_.operations_;
    alike_.resize(end - first);
    sorted_.clear();
    for (std::size_t i = first; i < end; ++i) {
      alike_[i - first] = i;
      if (!is_barred(operations[i])) sorted_.push_back(i);
    }
    const auto key = [&](std::size_t i) {
      const Operation& operation = operations[i];
      return std::tuple(operation.kind, operation.how, operation.extent);
    };
    std::ranges::sort(sorted_, {}, [&](std::size_t i) { return std::pair(key(i), i); });
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      if (key(sorted_[i]) != key(sorted_[i - 1])) continue;
      alike_[sorted_[i] - first] = alike_[sorted_[i - 1] - first];
    }
  }

  std::uint32_t new_gate() {
    program_.inputs_.push_back(0);
    return static_cast<std::uint32_t>(program_.inputs_.size() - 1);
  }

  void add_input(std::uint32_t blocker, std::size_t needed, std::uint32_t gate) {
    wakeups_.push_back({.operation = blocker, .wakeup = {.needed = needed, .gate = gate}});
    ++program_.inputs_[gate];
  }

  /// Adds a gate that waits for everything `operation` must wait for. Operations progress from
  /// their front, so a blocker has done the elements that both touch once it has progressed to the
  /// end of the overlap.
  std::uint32_t add_gate(const Operation& operation) {
    const std::uint32_t gate = new_gate();
    touched_.for_each(operation.extent, [&](std::uint32_t number) {
      const Operation& blocker = program_.operations_[number];
      if (!conflict(blocker, operation, stepping_)) return;
      const std::size_t end = std::min(blocker.extent.end(), operation.extent.end());
      add_input(number, end - blocker.extent.first, gate);
    });
    return gate;
  }

  /// Adds a gate that waits for the barrier before it and for every operation since then that
  /// barriers wait for. Chained like this, a receive wakes one barrier instead of all later ones.
  std::uint32_t add_barrier() {
    const std::uint32_t gate = new_gate();
    // A barrier without inputs is open from the beginning: it never opens, so nothing may wait for
    // that, and there is nothing to wait for.
    if (barrier_ && program_.inputs_[*barrier_] > 0) {
      program_.next_gate_.resize(program_.inputs_.size());
      program_.next_gate_[*barrier_] = gate + 1;
      ++program_.inputs_[gate];
    }
    for (const std::uint32_t number : unbarred_) {
      add_input(number, program_.operations_[number].extent.count, gate);
    }
    unbarred_.clear();
    barrier_ = gate;
    return gate;
  }

  /// Turns the per-operation data into lists. Wakeups are sorted by their `needed`, so that the
  /// runner keeps one position in each list.
  void finish() {
    const std::size_t operations = program_.operations_.size();
    program_.inputs_.shrink_to_fit();
    program_.next_gate_.shrink_to_fit();
    program_.behind_.fill(
        program_.inputs_.size(), operations, [&](std::size_t i) { return program_.gate_of_[i]; },
        [](std::size_t i) { return static_cast<std::uint32_t>(i); });
    program_.wakeups_.fill(
        operations, wakeups_.size(), [&](std::size_t i) { return wakeups_[i].operation; },
        [&](std::size_t i) { return wakeups_[i].wakeup; });
    for (std::size_t i = 0; i < operations; ++i) {
      const auto list = program_.wakeups_.at(i);
      if (!std::ranges::is_sorted(list, {}, &Wakeup::needed)) {
        std::ranges::stable_sort(list, {}, &Wakeup::needed);
      }
    }
  }

  struct WokenBy {
    std::uint32_t operation;
    Wakeup wakeup;
  };

  LaneProgram& program_;
  Stepping stepping_;
  Segments touched_;
  std::vector<std::size_t> alike_;   ///< by operation of a step: the first like it
  std::vector<std::size_t> sorted_;  ///< operations of a step
  std::vector<WokenBy> wakeups_;
  std::vector<std::uint32_t> unbarred_;  ///< operations since the last barrier, for the next one
  std::optional<std::uint32_t> barrier_;
};

LaneProgram::LaneProgram(const Lane& lane, Stepping stepping)
    : LaneProgram(lane, {.first = 0, .count = lane.size()}, stepping) {}

LaneProgram::LaneProgram(const Lane& lane, StepRange steps, Stepping stepping) {
  Channels channels(lane);
  using Kind = Operation::Kind;
  const std::size_t end = std::min(steps.end(), lane.size());
  std::size_t count = 0;
  for (std::size_t step = steps.first; step < end; ++step) {
    count += lane[step].sends.size() + lane[step].recvs.size();
  }
  operations_.reserve(count);
  for (std::size_t step = steps.first; step < end; ++step) {
    for (const Send& send : lane[step].sends) {
      operations_.push_back(
          {Kind::send, Combine::replace, channels.number(send.to), step, send.what});
    }
    for (const Recv& recv : lane[step].recvs) {
      operations_.push_back(
          {Kind::receive, recv.how, channels.number(recv.from), step, recv.where});
    }
  }
  channels_ = channels.take();
  const auto queue_of = [&](std::size_t i) {
    return 2 * operations_[i].channel + static_cast<std::size_t>(operations_[i].kind);
  };
  queues_.fill(2 * channels_.size(), operations_.size(), queue_of,
               [](std::size_t i) { return static_cast<std::uint32_t>(i); });
  Builder(*this, stepping);
}

std::span<const std::uint32_t> LaneProgram::queue(std::size_t channel, Operation::Kind kind) const {
  return queues_.at(2 * channel + static_cast<std::size_t>(kind));
}

std::span<const std::uint32_t> LaneProgram::behind(std::size_t gate) const {
  return behind_.at(gate);
}

std::optional<std::size_t> LaneProgram::next_gate(std::size_t gate) const {
  if (gate >= next_gate_.size() || next_gate_[gate] == 0) return std::nullopt;
  return next_gate_[gate] - 1;
}

std::span<const Wakeup> LaneProgram::wakeups(std::size_t operation) const {
  return wakeups_.at(operation);
}

}  // namespace gradwire
