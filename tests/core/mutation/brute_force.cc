#include "tests/core/mutation/brute_force.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gradwire::mutation {
namespace {

/// How often each rank's contribution is in: a byte a rank.
using Value = std::uint64_t;

Value one(std::size_t rank) {
  return Value{1} << (8 * rank);
}

bool has_any_twice(Value value) {
  return (value & 0xfefefefefefefefeULL) != 0;
}

/// A transfer's end at one rank.
struct Operation {
  std::size_t rank;
  std::size_t lane;
  std::size_t step;
  bool sends;
  Peer peer;
  Extent extent;
  Combine how;
  std::vector<std::size_t> wakes;  ///< operations that wait for this one
  std::size_t waits = 0;           ///< for so many
  std::size_t sender = 0;          ///< of a receive: the operation that it meets
};

std::vector<Operation> operations_of(std::span<const Plan> plans) {
  std::vector<Operation> all;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      for (std::size_t step = 0; step < plans[rank].lanes[lane].size(); ++step) {
        const Step& here = plans[rank].lanes[lane][step];
        for (const Send& send : here.sends) {
          all.push_back({rank, lane, step, true, send.to, send.what, Combine::add, {}});
        }
        for (const Recv& recv : here.recvs) {
          all.push_back({rank, lane, step, false, recv.from, recv.where, recv.how, {}});
        }
      }
    }
  }
  return all;
}

bool is_within(const Operation& operation, std::size_t ranks, std::size_t elements) {
  const Extent& extent = operation.extent;
  return extent.count > 0 && extent.count <= elements && extent.first <= elements - extent.count &&
         operation.peer.rank.index() < ranks && operation.peer.rank.index() != operation.rank;
}

bool meet(const Operation& send, const Operation& recv) {
  return send.sends && !recv.sends && send.lane == recv.lane && send.step == recv.step &&
         send.peer.rank.index() == recv.rank && recv.peer.rank.index() == send.rank &&
         send.peer.via == recv.peer.at && send.peer.at == recv.peer.via &&
         send.extent == recv.extent;
}

/// Joins every send with its receive. False when one is left over.
bool join(std::vector<Operation>& operations) {
  std::vector<bool> joined(operations.size(), false);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (!operations[i].sends) continue;
    std::size_t j = 0;
    while (j < operations.size() && (joined[j] || !meet(operations[i], operations[j]))) ++j;
    if (j == operations.size()) return false;
    joined[i] = joined[j] = true;
    operations[j].sender = i;
    operations[i].wakes.push_back(j);
    ++operations[j].waits;
  }
  return std::ranges::find(joined, false) == joined.end();
}

/// Whether the order of the two makes a difference where both touch an element.
bool conflict(const Operation& a, const Operation& b) {
  if (a.sends && b.sends) return false;
  if (a.sends || b.sends) return true;
  return a.how == Combine::replace || b.how == Combine::replace;
}

/// Makes later operations of a lane wait for earlier ones. False when two that conflict are ordered
/// by nothing. Between lanes even additions conflict: two threads would write at once.
bool order(std::vector<Operation>& operations) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    for (std::size_t j = i + 1; j < operations.size(); ++j) {
      Operation& a = operations[i];
      Operation& b = operations[j];
      if (a.rank != b.rank || !overlap(a.extent, b.extent)) continue;
      if (a.lane != b.lane) {
        if (!a.sends || !b.sends) return false;
      } else if (conflict(a, b)) {
        if (a.step == b.step) return false;
        const bool a_first = a.step < b.step;
        (a_first ? a : b).wakes.push_back(a_first ? j : i);
        ++(a_first ? b : a).waits;
      }
    }
  }
  return true;
}

/// Runs the operations once.
class Execution {
 public:
  Execution(const std::vector<Operation>& operations, const Goal& goal)
      : operations_(operations),
        values_(goal.begins.size(), std::vector<Value>(goal.elements, 0)),
        messages_(operations.size()) {
    for (std::size_t rank = 0; rank < values_.size(); ++rank) {
      for (const Extent& extent : goal.begins[rank]) {
        for (std::size_t i = extent.first; i < extent.end(); ++i) values_[rank][i] = one(rank);
      }
    }
  }

  /// `choose(ready)` says which of the operations that may happen does.
  template <class Choose>
  std::string run(const Goal& goal, const Choose& choose) {
    std::vector<std::size_t> waits;
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      waits.push_back(operations_[i].waits);
      if (waits[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      const std::size_t chosen = choose(ready);
      const std::size_t now = std::exchange(ready[chosen], ready.back());
      ready.pop_back();
      const std::string wrong = operations_[now].sends ? send(now) : receive(now);
      if (!wrong.empty()) return wrong;
      for (const std::size_t next : operations_[now].wakes) {
        if (--waits[next] == 0) ready.push_back(next);
      }
    }
    return is_reached(goal) ? "" : "incomplete";
  }

 private:
  std::string send(std::size_t number) {
    const Operation& operation = operations_[number];
    for (std::size_t i = operation.extent.first; i < operation.extent.end(); ++i) {
      const Value value = values_[operation.rank][i];
      if (value == 0) return "nothing";
      messages_[number].push_back(value);
    }
    return "";
  }

  std::string receive(std::size_t number) {
    const Operation& operation = operations_[number];
    std::size_t next = operation.extent.first;
    for (const Value arriving : messages_[operation.sender]) {
      Value& value = values_[operation.rank][next++];
      value = arriving + (operation.how == Combine::add ? value : 0);
      if (has_any_twice(value)) return "twice";
    }
    return "";
  }

  [[nodiscard]] bool is_reached(const Goal& goal) const {
    std::vector<Value> sums(goal.elements, 0);
    for (std::size_t rank = 0; rank < goal.begins.size(); ++rank) {
      for (const Extent& extent : goal.begins[rank]) {
        for (std::size_t i = extent.first; i < extent.end(); ++i) sums[i] += one(rank);
      }
    }
    for (std::size_t rank = 0; rank < goal.ends.size(); ++rank) {
      for (const Extent& extent : goal.ends[rank]) {
        for (std::size_t i = extent.first; i < extent.end(); ++i) {
          if (values_[rank][i] != sums[i]) return false;
        }
      }
    }
    return true;
  }

  const std::vector<Operation>& operations_;
  std::vector<std::vector<Value>> values_;    ///< by rank and element
  std::vector<std::vector<Value>> messages_;  ///< by sending operation
};

/// Order 0 takes one step after the other, order 1 lets every rank run ahead as far as it can, and
/// all others are random.
std::size_t choose(std::span<const std::size_t> ready, std::span<const Operation> operations,
                   std::size_t order, Dice& dice) {
  const auto step = [&](std::size_t number) { return operations[number].step; };
  if (order == 0) {
    return static_cast<std::size_t>(std::ranges::min_element(ready, {}, step) - ready.begin());
  }
  if (order == 1) {
    return static_cast<std::size_t>(std::ranges::max_element(ready, {}, step) - ready.begin());
  }
  return roll(dice, ready.size());
}

}  // namespace

std::string why_wrong(std::span<const Plan> plans, const Goal& goal, std::size_t orders,
                      Dice& dice) {
  std::vector<Operation> operations = operations_of(plans);
  for (const Operation& operation : operations) {
    if (!is_within(operation, plans.size(), goal.elements)) return "bounds";
  }
  if (!join(operations)) return "unmet";
  if (!order(operations)) return "race";
  for (std::size_t i = 0; i < orders; ++i) {
    Execution execution(operations, goal);
    const std::string wrong = execution.run(goal, [&](std::span<const std::size_t> ready) {
      return choose(ready, operations, i, dice);
    });
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace gradwire::mutation
