#include "collectives/member.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives {

Group everyone(const topologies::Topology& topology) {
  Group group;
  for (std::size_t i = 0; i < topology.hosts(); ++i) group.emplace_back(i);
  return group;
}

std::vector<std::size_t> ring_order(const Member& self) {
  std::vector<std::size_t> order(self.members());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t place) {
    return self.topology.ring_place(self.group[place], 0).index;
  });
  return order;
}

double share_of_others(std::size_t members) {
  return static_cast<double>(members - 1) / static_cast<double>(members);
}

SideBySide::SideBySide(std::span<const std::size_t> sizes) : bounds_{0} {
  for (const std::size_t size : sizes) bounds_.push_back(bounds_.back() + size);
}

std::vector<Extent> SideBySide::run(std::size_t first, std::size_t count) const {
  const std::size_t members = bounds_.size() - 1;
  ensure(first < members && count <= members, "a run begins at a member and has no member twice");
  const auto between = [this](std::size_t begin, std::size_t end) {
    return Extent{.first = bounds_[begin], .count = bounds_[end] - bounds_[begin]};
  };
  std::vector<Extent> extents;
  if (first + count <= members) {
    extents = {between(first, first + count)};
  } else {
    extents = {between(first, members), between(0, first + count - members)};
  }
  std::erase_if(extents, [](const Extent& extent) { return extent.empty(); });
  return extents;
}

MemberLane::MemberLane(const Member& self, std::size_t steps, Run run)
    : self_(self), run_(run), lane_(steps) {
  ensure(self.place < self.members(), "a member has a place in its group");
}

void MemberLane::send(std::size_t step, std::size_t to, const Extent& what) {
  ensure(step < lane_.size(), "a schedule has the step");
  if (run_ == Run::forwards) {
    add_send(step, to, what);
  } else {
    add_receive(lane_.size() - 1 - step, to, what);
  }
}

void MemberLane::send(std::size_t step, std::size_t to, std::span<const Extent> what) {
  for (const Extent& extent : what) send(step, to, extent);
}

void MemberLane::receive(std::size_t step, std::size_t from, const Extent& where) {
  ensure(step < lane_.size(), "a schedule has the step");
  if (run_ == Run::forwards) {
    add_receive(step, from, where);
  } else {
    add_send(lane_.size() - 1 - step, from, where);
  }
}

void MemberLane::receive(std::size_t step, std::size_t from, std::span<const Extent> where) {
  for (const Extent& extent : where) receive(step, from, extent);
}

Plan MemberLane::take(Stepping stepping) {
  return {.lanes = {std::move(lane_)}, .stepping = stepping};
}

void MemberLane::add_send(std::size_t step, std::size_t to, const Extent& what) {
  if (what.empty()) return;
  const Rank rank = self_.group[to];
  lane_[step].sends.push_back({topologies::send_peer(self_.topology, self_.rank(), rank), what});
}

void MemberLane::add_receive(std::size_t step, std::size_t from, const Extent& where) {
  if (where.empty()) return;
  const Rank rank = self_.group[from];
  const Combine how = run_ == Run::summing ? Combine::add : Combine::replace;
  lane_[step].recvs.push_back(
      {topologies::receive_peer(self_.topology, self_.rank(), rank), where, how});
}

}  // namespace gradwire::collectives
