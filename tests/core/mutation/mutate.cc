#include "tests/core/mutation/mutate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gradwire::mutation {
namespace {

/// Both ends of a transfer, and where they stand.
struct Transfer {
  std::size_t lane;
  std::size_t step;
  std::size_t sender;
  std::size_t receiver;
  Send send;
  Recv recv;
};

enum class Ends : std::uint8_t { both, sender, receiver };

std::vector<Transfer> transfers_of(const std::vector<Plan>& plans) {
  std::vector<Transfer> all;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      for (std::size_t step = 0; step < plans[rank].lanes[lane].size(); ++step) {
        for (const Recv& recv : plans[rank].lanes[lane][step].recvs) {
          const Peer to{.rank = Rank(rank), .via = recv.from.at, .at = recv.from.via};
          all.push_back({lane, step, recv.from.rank.index(), rank, {to, recv.where}, recv});
        }
      }
    }
  }
  return all;
}

/// The step, made if it is not there.
Step& step_of(Plan& plan, std::size_t lane, std::size_t step) {
  if (plan.lanes.size() <= lane) plan.lanes.resize(lane + 1);
  if (plan.lanes[lane].size() <= step) plan.lanes[lane].resize(step + 1);
  return plan.lanes[lane][step];
}

void remove(std::vector<Plan>& plans, const Transfer& transfer, Ends ends) {
  if (ends != Ends::receiver) {
    auto& sends = step_of(plans[transfer.sender], transfer.lane, transfer.step).sends;
    const auto found = std::ranges::find(sends, transfer.send);
    if (found != sends.end()) sends.erase(found);
  }
  if (ends != Ends::sender) {
    auto& recvs = step_of(plans[transfer.receiver], transfer.lane, transfer.step).recvs;
    const auto found = std::ranges::find(recvs, transfer.recv);
    if (found != recvs.end()) recvs.erase(found);
  }
}

void insert(std::vector<Plan>& plans, const Transfer& transfer, Ends ends) {
  if (ends != Ends::receiver) {
    step_of(plans[transfer.sender], transfer.lane, transfer.step).sends.push_back(transfer.send);
  }
  if (ends != Ends::sender) {
    step_of(plans[transfer.receiver], transfer.lane, transfer.step).recvs.push_back(transfer.recv);
  }
}

void replace(std::vector<Plan>& plans, const Transfer& old, const Transfer& changed, Ends ends) {
  remove(plans, old, ends);
  insert(plans, changed, ends);
}

/// Up to two steps earlier or later.
std::size_t other_step(std::size_t step, Dice& dice) {
  const std::size_t moved = step + roll(dice, 5);
  return moved < 2 ? 0 : moved - 2;
}

/// One bound moves by one element, either way.
Extent other_extent(Extent extent, Dice& dice) {
  switch (roll(dice, 4)) {
    case 0:
      ++extent.count;
      break;
    case 1:
      --extent.count;
      break;
    case 2:
      ++extent.first;
      break;
    default:
      if (extent.first > 0) --extent.first;
  }
  return extent;
}

void set_extent(Transfer& transfer, const Extent& extent) {
  transfer.send.what = extent;
  transfer.recv.where = extent;
}

void set_receiver(Transfer& transfer, std::size_t receiver) {
  transfer.receiver = receiver;
  transfer.send.to.rank = Rank(receiver);
}

/// Two transfers take each other's step, extent or receiver.
void swap(std::vector<Plan>& plans, const std::array<Transfer, 2>& old, Ends ends, Dice& dice) {
  std::array<Transfer, 2> changed = old;
  const std::size_t kind = roll(dice, 3);
  for (std::size_t i = 0; i < 2; ++i) {
    const Transfer& other = old[1 - i];
    if (kind == 0) changed[i].step = other.step;
    if (kind == 1) set_extent(changed[i], other.send.what);
    if (kind == 2) set_receiver(changed[i], other.receiver);
  }
  for (std::size_t i = 0; i < 2; ++i) remove(plans, old[i], ends);
  for (std::size_t i = 0; i < 2; ++i) {
    if (changed[i].sender != changed[i].receiver) insert(plans, changed[i], ends);
  }
}

Ends any_ends(Dice& dice) {
  if (happens(dice, 75)) return Ends::both;
  return happens(dice, 50) ? Ends::sender : Ends::receiver;
}

}  // namespace

void mutate(std::vector<Plan>& plans, Dice& dice) {
  const std::vector<Transfer> all = transfers_of(plans);
  if (all.empty()) return;
  const Transfer old = all[roll(dice, all.size())];
  Transfer changed = old;
  const Ends ends = any_ends(dice);
  switch (roll(dice, 6)) {
    case 0:
      return remove(plans, old, ends);
    case 1:
      changed.step = other_step(old.step, dice);
      return insert(plans, changed, ends);
    case 2:
      changed.step = other_step(old.step, dice);
      return replace(plans, old, changed, ends);
    case 3:
      set_extent(changed, other_extent(old.send.what, dice));
      return replace(plans, old, changed, ends);
    case 4:
      changed.recv.how = old.recv.how == Combine::add ? Combine::replace : Combine::add;
      return replace(plans, old, changed, Ends::receiver);
    default:
      return swap(plans, {old, all[roll(dice, all.size())]}, ends, dice);
  }
}

}  // namespace gradwire::mutation
