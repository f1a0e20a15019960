#include "simulator/symmetry.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "core/lane_program.h"
#include "simulator/fabric.h"

namespace gradwire::simulator {
namespace {

std::size_t entries(const Plan& plan) {
  std::size_t count = 1;
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) count += 1 + step.sends.size() + step.recvs.size();
  }
  return count;
}

/// A Plan from its rank's point of view, as a row of numbers. Peers are named relative to the rank:
/// moved by the translation that moves the rank to 0. The positions of extents are left out, except
/// for the waits that follow from them. Every list in a row is preceded by its length, or is as
/// long as one before, so that two rows are equal only when all that they say is.
class View {
 public:
  View(const Plan& plan, Rank self, std::span<const std::size_t> radices)
      : to_zero_(inverse(self, radices)), radices_(radices) {
    for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
      const Stepping stepping = plan.stepping_of(lane);
      note(static_cast<std::size_t>(stepping));
      add_transfers(plan.lanes[lane]);
      if (stepping == Stepping::overlapped || stepping == Stepping::ordered_sums) {
        add_waits(LaneProgram(plan.lanes[lane], stepping));
      }
    }
  }

  friend bool operator==(const View& a, const View& b) { return a.numbers_ == b.numbers_; }

 private:
  struct Transfer {
    std::size_t step;
    Peer peer;
    int how;  ///< Combine of a receive; -1 for a send
    std::size_t elements;
    std::size_t operation;  ///< number in LaneProgram

    [[nodiscard]] auto place() const { return std::tuple(step, peer, how); }
  };

  void note(std::size_t number) { numbers_.push_back(number); }

  [[nodiscard]] Peer seen(const Peer& peer) const {
    return {.rank = translated(peer.rank, to_zero_, radices_), .via = peer.via, .at = peer.at};
  }

  /// Adds a lane's transfers, sorted by step and peer, because a Plan often lists its peers by
  /// number, and translated numbers wrap around. The sort is stable: transfers of one channel stay
  /// in their order, which decides what meets what.
  void add_transfers(const Lane& lane) {
    transfers_.clear();
    for (std::size_t step = 0; step < lane.size(); ++step) {
      for (const Send& send : lane[step].sends) {
        transfers_.push_back({step, seen(send.to), -1, send.what.count, transfers_.size()});
      }
      for (const Recv& recv : lane[step].recvs) {
        transfers_.push_back({step, seen(recv.from), static_cast<int>(recv.how), recv.where.count,
                              transfers_.size()});
      }
    }
    std::ranges::stable_sort(transfers_, {}, &Transfer::place);
    note(lane.size());
    note(transfers_.size());
    for (const Transfer& transfer : transfers_) {
      note(transfer.step);
      note(transfer.peer.rank.index());
      note(transfer.peer.via.index() << 32 | transfer.peer.at.index());
      note(static_cast<std::size_t>(transfer.how + 1));
      note(transfer.elements);
    }
  }

  /// Adds which transfer wakes which. A program numbers its gates in the order in which the Plan
  /// lists its transfers; here they are numbered in the order of transfers_, in which alike Plans
  /// agree.
  void add_waits(const LaneProgram& program) {
    constexpr std::size_t kNew = SIZE_MAX;
    std::vector<std::size_t> numbers(program.gate_inputs().size(), kNew);
    std::size_t gates = 0;
    for (const Transfer& transfer : transfers_) {
      std::size_t& number = numbers[program.gate_of(transfer.operation)];
      if (number == kNew) number = gates++;
      note(number);
    }
    std::vector<std::pair<std::size_t, std::size_t>> wakes;
    for (const Transfer& transfer : transfers_) {
      wakes.clear();
      for (const Wakeup& wakeup : program.wakeups(transfer.operation)) {
        wakes.emplace_back(wakeup.needed, numbers[wakeup.gate]);
      }
      std::ranges::sort(wakes);
      note(wakes.size());
      for (const auto& [needed, gate] : wakes) {
        note(needed);
        note(gate);
      }
    }
  }

  Rank to_zero_;
  std::span<const std::size_t> radices_;
  std::vector<Transfer> transfers_;  ///< transfers of the present lane
  std::vector<std::size_t> numbers_;
};

}  // namespace

bool is_symmetric(const topologies::Topology& topology, const PlanOf& plan_of, std::size_t most) {
  const auto radices = topology.translation();
  if (!radices) return false;
  // Where all ranks would be too many, ranks at equal distances stand for them.
  const Plan first = plan_of(Rank(0));
  const View view(first, Rank(0), *radices);
  const std::size_t ranks = std::clamp<std::size_t>(most / entries(first), 2, topology.hosts());
  const std::size_t stride = (topology.hosts() + ranks - 1) / ranks;
  for (std::size_t rank = 1; rank < topology.hosts(); rank += stride) {
    if (View(plan_of(Rank(rank)), Rank(rank), *radices) != view) return false;
  }
  return true;
}

std::vector<Rank> guarded_ranks(std::span<const std::size_t> radices) {
  std::vector<std::size_t> places;
  std::size_t ranks = 1;
  for (const std::size_t radix : radices) {
    if (radix > 1) places.push_back(ranks);
    ranks *= radix;
  }
  for (const std::size_t place : {ranks / 3, ranks / 2, ranks - 1}) {
    if (place > 0) places.push_back(place);
  }
  std::ranges::sort(places);
  const auto again = std::ranges::unique(places);
  places.erase(again.begin(), again.end());
  return {places.begin(), places.end()};
}

void check_alike(const topologies::Topology& topology, const PlanOf& plan_of) {
  const auto radices = topology.translation();
  ensure(radices.has_value(), "a wiring on which all ranks are alike has a translation");
  const View view(plan_of(Rank(0)), Rank(0), *radices);
  for (const Rank rank : guarded_ranks(*radices)) {
    if (View(plan_of(rank), rank, *radices) == view) continue;
    throw InternalError(
        fmt::format("all ranks on {} are said to do the same, but rank {} does not do what rank 0 "
                    "does",
                    topology.name(), rank.index()));
  }
}

}  // namespace gradwire::simulator
