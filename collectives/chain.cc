#include "collectives/chain.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace gradwire::collectives::chain {
namespace {

Plan run(const Member& self, std::size_t elements, const Options& options, Run way) {
  if (options.pieces == 0) throw InputError("a chain needs at least one piece");
  ensure(options.root < self.members(), "the root is one of the members");
  const std::size_t members = self.members();
  const std::size_t pieces = std::clamp<std::size_t>(elements, 1, options.pieces);
  MemberLane lane(self, steps(members, pieces), way);
  const std::vector<std::size_t> order = ring_order(self);
  const auto index_of = [&](std::size_t place) {
    return static_cast<std::size_t>(std::ranges::find(order, place) - order.begin());
  };
  const std::size_t index = index_of(self.place);
  const std::size_t left = order[(index + members - 1) % members];
  const std::size_t right = order[(index + 1) % members];
  const std::size_t number = (index + members - index_of(options.root)) % members;
  for (std::size_t p = 0; p < pieces; ++p) {
    const Extent piece = part({0, elements}, pieces, p);
    if (number > 0) lane.receive(p + number - 1, left, piece);
    if (number + 1 < members) lane.send(p + number, right, piece);
  }
  return lane.take(Stepping::overlapped);
}

}  // namespace

Plan broadcast(const Member& self, std::size_t elements, const Options& options) {
  return run(self, elements, options, Run::forwards);
}

Plan reduce(const Member& self, std::size_t elements, const Options& options) {
  return run(self, elements, options, Run::summing);
}

std::size_t steps(std::size_t members, std::size_t pieces) {
  return members < 2 ? 0 : members - 2 + pieces;
}

double closed_form(std::size_t members, std::size_t pieces) {
  return static_cast<double>(steps(members, pieces)) / static_cast<double>(pieces);
}

}  // namespace gradwire::collectives::chain
