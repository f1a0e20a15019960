#include "collectives/binomial.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace gradwire::collectives::binomial {
namespace {

/// The place of a member in the tree, counted from the root.
class Tree {
 public:
  Tree(const Member& self, std::size_t root)
      : members_(self.members()),
        root_(root),
        number_((self.place + self.members() - root) % self.members()) {
    ensure(root < members_, "the root is one of the members");
  }

  /// Calls receive(step, from, first, end) with the member's parent, then send(step, to, first, end)
  /// with each child, the largest branch first. [first, end) are the numbers of the branch that
  /// hangs on the edge.
  template <class Receive, class Send>
  void walk(const Receive& receive, const Send& send) const {
    const std::size_t depth = steps(members_);
    std::size_t low = number_ == 0 ? depth : static_cast<std::size_t>(std::countr_zero(number_));
    if (number_ != 0) {
      const std::size_t bit = std::size_t{1} << low;
      receive(depth - 1 - low, place(number_ - bit), number_, std::min(number_ + bit, members_));
    }
    while (low-- > 0) {
      const std::size_t bit = std::size_t{1} << low;
      const std::size_t child = number_ + bit;
      if (child >= members_) continue;
      send(depth - 1 - low, place(child), child, std::min(child + bit, members_));
    }
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t number) const { return (number + root_) % members_; }

  std::size_t members_;
  std::size_t root_;
  std::size_t number_;
};

Plan spread(const Member& self, std::size_t elements, std::size_t root, Run run) {
  MemberLane lane(self, steps(self.members()), run);
  const Extent all{0, elements};
  Tree(self, root)
      .walk([&](std::size_t step, std::size_t from, std::size_t,
                std::size_t) { lane.receive(step, from, all); },
            [&](std::size_t step, std::size_t to, std::size_t, std::size_t) {
              lane.send(step, to, all);
            });
  return lane.take(Stepping::one_by_one);
}

Plan deal(const Member& self, std::size_t elements, std::size_t root, Run run) {
  MemberLane lane(self, steps(self.members()), run);
  const auto branch = [&](std::size_t first, std::size_t end) {
    return part_range({0, elements}, self.members(), first, end);
  };
  Tree(self, root)
      .walk([&](std::size_t step, std::size_t from, std::size_t first,
                std::size_t end) { lane.receive(step, from, branch(first, end)); },
            [&](std::size_t step, std::size_t to, std::size_t first, std::size_t end) {
              lane.send(step, to, branch(first, end));
            });
  return lane.take(Stepping::one_by_one);
}

}  // namespace

Plan broadcast(const Member& self, std::size_t elements, std::size_t root) {
  return spread(self, elements, root, Run::forwards);
}

Plan reduce(const Member& self, std::size_t elements, std::size_t root) {
  return spread(self, elements, root, Run::summing);
}

Parts parts(std::size_t members, std::size_t elements, std::size_t root) {
  ensure(root < members, "the root is one of the members");
  Parts parts;
  for (std::size_t place = 0; place < members; ++place) {
    parts.push_back({part({0, elements}, members, (place + members - root) % members)});
  }
  return parts;
}

Plan scatter(const Member& self, std::size_t elements, std::size_t root) {
  return deal(self, elements, root, Run::forwards);
}

Plan gather(const Member& self, std::size_t elements, std::size_t root) {
  return deal(self, elements, root, Run::backwards);
}

std::size_t steps(std::size_t members) {
  return static_cast<std::size_t>(std::bit_width(members - 1));
}

double closed_form(std::size_t members) {
  return static_cast<double>(steps(members));
}

double scatter_closed_form(std::size_t members) {
  return share_of_others(members);
}

}  // namespace gradwire::collectives::binomial
