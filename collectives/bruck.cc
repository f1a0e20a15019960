#include "collectives/bruck.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace gradwire::collectives::bruck {
namespace {

Plan run(const Member& self, std::span<const std::size_t> sizes, Run way) {
  const std::size_t members = self.members();
  ensure(sizes.size() == members, "every member has a part");
  const SideBySide parts(sizes);
  MemberLane lane(self, steps(members), way);
  for (std::size_t step = 0; step < steps(members); ++step) {
    const std::size_t distance = std::size_t{1} << step;
    const std::size_t count = std::min(distance, members - distance);
    const std::size_t above = (self.place + distance) % members;
    const std::size_t below = (self.place + members - distance) % members;
    lane.send(step, below, parts.run(self.place, count));
    lane.receive(step, above, parts.run(above, count));
  }
  return lane.take(Stepping::one_by_one);
}

}  // namespace

Plan all_gather(const Member& self, std::span<const std::size_t> sizes) {
  return run(self, sizes, Run::forwards);
}

Plan reduce_scatter(const Member& self, std::span<const std::size_t> sizes) {
  return run(self, sizes, Run::summing);
}

std::size_t steps(std::size_t members) {
  return static_cast<std::size_t>(std::bit_width(members - 1));
}

double closed_form(std::size_t members) {
  return share_of_others(members);
}

}  // namespace gradwire::collectives::bruck
