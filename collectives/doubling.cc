#include "collectives/doubling.h"

#include <bit>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::collectives::doubling {
namespace {

Plan run(const Member& self, std::span<const std::size_t> sizes, Run way) {
  const std::size_t members = self.members();
  if (!std::has_single_bit(members)) {
    throw InputError(fmt::format(
        "recursive halving and doubling takes a power of two of ranks, not {}; bruck takes any",
        members));
  }
  ensure(sizes.size() == members, "every member has a part");
  const SideBySide parts(sizes);
  MemberLane lane(self, steps(members), way);
  for (std::size_t step = 0; step < steps(members); ++step) {
    const std::size_t block = std::size_t{1} << step;
    const std::size_t partner = self.place ^ block;
    lane.send(step, partner, parts.run(self.place / block * block, block));
    lane.receive(step, partner, parts.run(partner / block * block, block));
  }
  return lane.take(Stepping::in_order);
}

}  // namespace

Plan all_gather(const Member& self, std::span<const std::size_t> sizes) {
  return run(self, sizes, Run::forwards);
}

Plan reduce_scatter(const Member& self, std::span<const std::size_t> sizes) {
  return run(self, sizes, Run::summing);
}

std::size_t steps(std::size_t members) {
  return static_cast<std::size_t>(std::bit_width(members)) - 1;
}

double closed_form(std::size_t members) {
  return share_of_others(members);
}

}  // namespace gradwire::collectives::doubling
