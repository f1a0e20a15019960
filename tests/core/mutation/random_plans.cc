#include "tests/core/mutation/random_plans.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "core/error.h"

namespace gradwire::mutation {
namespace {

/// The ranks of which some extent covers the elements.
std::vector<std::size_t> who(const std::vector<std::vector<Extent>>& extents, const Extent& what) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < extents.size(); ++rank) {
    const bool covers = std::ranges::any_of(
        extents[rank], [&](const Extent& extent) { return overlap(extent, what); });
    if (covers) ranks.push_back(rank);
  }
  return ranks;
}

/// Runs of elements that no extent of the goal cuts, some of them cut again.
std::vector<Extent> runs_of(const Goal& goal, Dice& dice) {
  std::vector<std::size_t> bounds{0, goal.elements};
  for (const auto* extents : {&goal.begins, &goal.ends}) {
    for (const auto& of_rank : *extents) {
      for (const Extent& extent : of_rank) {
        bounds.insert(bounds.end(), {extent.first, extent.end()});
      }
    }
  }
  if (happens(dice, 50)) bounds.push_back(roll(dice, goal.elements + 1));
  std::ranges::sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<Extent> runs;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    runs.push_back({bounds[i], bounds[i + 1] - bounds[i]});
  }
  return runs;
}

/// Adds the transfers of one run of elements to the Plans.
class Run {
 public:
  Run(std::vector<Plan>& plans, const Extent& what, std::size_t lane, Dice& dice)
      : plans_(plans),
        what_(what),
        lane_(lane),
        dice_(dice),
        free_(plans.size(), 0),
        last_(plans.size(), Last::other) {}

  /// Sums what `from` hold at `at`.
  void sum(const std::vector<std::size_t>& from, std::size_t at) {
    std::vector<bool> holds(plans_.size(), false);
    for (const std::size_t rank : from) holds[rank] = true;
    std::vector<std::size_t> places = from;  // where something may still be sent to
    places.push_back(at);
    if (happens(dice_, 30)) places.push_back(roll(dice_, plans_.size()));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    while (const auto sender = pick(places, [&](std::size_t i) { return holds[i] && i != at; })) {
      const auto receiver = pick(places, [&](std::size_t i) { return i != *sender; });
      ensure(receiver.has_value(), "the place of the sum is one of the places");
      const bool adds = holds[*receiver] || happens(dice_, 50);
      send(*sender, *receiver, adds ? Combine::add : Combine::replace);
      holds[*receiver] = true;
      std::erase(places, *sender);
    }
  }

  /// Takes what `at` holds to all of `to`.
  void spread(std::size_t at, std::vector<std::size_t> to) {
    if (happens(dice_, 30)) to.push_back(roll(dice_, plans_.size()));
    std::ranges::shuffle(to, dice_);
    std::vector<std::size_t> have{at};
    for (const std::size_t rank : to) {
      if (std::ranges::find(have, rank) != have.end()) continue;
      send(have[roll(dice_, have.size())], rank, Combine::replace);
      have.push_back(rank);
    }
  }

 private:
  template <class Fits>
  std::optional<std::size_t> pick(const std::vector<std::size_t>& from, const Fits& fits) {
    std::vector<std::size_t> fitting;
    std::ranges::copy_if(from, std::back_inserter(fitting), fits);
    if (fitting.empty()) return std::nullopt;
    return fitting[roll(dice_, fitting.size())];
  }

  /// What a rank did last with the run, of what it may do several times in one step.
  enum class Last : std::uint8_t { other, sent, added };

  /// The first step in which a rank may do `what`.
  std::size_t earliest(std::size_t rank, Last what) {
    const bool joins = last_[rank] == what && what != Last::other && happens(dice_, 50);
    return free_[rank] - (joins ? 1 : 0);
  }

  /// In the first step in which both ends may, or a later one.
  void send(std::size_t from, std::size_t to, Combine how) {
    const Last received = how == Combine::add ? Last::added : Last::other;
    std::size_t step = std::max(earliest(from, Last::sent), earliest(to, received));
    if (happens(dice_, 30)) step += 1 + roll(dice_, 2);
    free_[from] = free_[to] = step + 1;
    last_[from] = Last::sent;
    last_[to] = received;
    const Port via(roll(dice_, 2));
    const Port at(roll(dice_, 2));
    step_of(from, step).sends.push_back({{Rank(to), via, at}, what_});
    step_of(to, step).recvs.push_back({{Rank(from), at, via}, what_, how});
  }

  Step& step_of(std::size_t rank, std::size_t step) {
    auto& lanes = plans_[rank].lanes;
    if (lanes.size() <= lane_) lanes.resize(lane_ + 1);
    if (lanes[lane_].size() <= step) lanes[lane_].resize(step + 1);
    return lanes[lane_][step];
  }

  std::vector<Plan>& plans_;
  Extent what_;
  std::size_t lane_;
  Dice& dice_;
  std::vector<std::size_t> free_;  ///< by rank: the first step after all it has to do with the run
  std::vector<Last> last_;         ///< by rank
};

}  // namespace

std::vector<Plan> random_plans(const Goal& goal, Dice& dice) {
  std::vector<Plan> plans(goal.begins.size());
  for (const Extent& what : runs_of(goal, dice)) {
    const auto from = who(goal.begins, what);
    const auto to = who(goal.ends, what);
    if (from.empty() || to.empty()) continue;
    Run run(plans, what, happens(dice, 25) ? 1 : 0, dice);
    const bool at_an_end = happens(dice, 70);
    const std::size_t at = at_an_end ? to[roll(dice, to.size())] : roll(dice, plans.size());
    run.sum(from, at);
    run.spread(at, to);
  }
  return plans;
}

}  // namespace gradwire::mutation
