#include "collectives/direct.h"

#include <utility>
#include <vector>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::direct {
namespace {

/// The elements that a member exchanges with each other one.
class Partners {
 public:
  Partners(const Member& self, const Goal& goal)
      : self_(self), goal_(goal), how_(has_sums(goal) ? Combine::add : Combine::replace) {
    ensure(goal.begins.size() == self.members(), "the goal's ranks are the group's members");
  }

  /// The place that follows the member's own, or precedes it, by so many places.
  [[nodiscard]] std::size_t after(std::size_t offset) const {
    return (self_.place + offset) % self_.members();
  }
  [[nodiscard]] std::size_t before(std::size_t offset) const {
    return (self_.place + self_.members() - offset) % self_.members();
  }

  void send(std::size_t to, Step& step) {
    const Rank rank = self_.group[to];
    for (const Extent& what : intersection(goal_.begins[self_.place], goal_.ends[to])) {
      step.sends.push_back({topologies::send_peer(self_.topology, self_.rank(), rank), what});
      sent_.push_back(what);
    }
  }

  void receive(std::size_t from, Step& step) {
    const Rank rank = self_.group[from];
    for (const Extent& where : intersection(goal_.begins[from], goal_.ends[self_.place])) {
      step.recvs.push_back(
          {topologies::receive_peer(self_.topology, self_.rank(), rank), where, how_});
      received_.push_back(where);
    }
  }

  /// Checks that no element is both received and sent: a received element is no longer the one the
  /// member began with.
  void check() {
    ensure(intersection(merged(std::move(sent_)), merged(std::move(received_))).empty(),
           "nobody has to send and receive the same element");
  }

 private:
  const Member& self_;
  const Goal& goal_;
  Combine how_;
  std::vector<Extent> sent_;
  std::vector<Extent> received_;
};

}  // namespace

Plan plan(const Member& self, const Goal& goal) {
  Partners partners(self, goal);
  Step step;
  for (std::size_t offset = 1; offset < self.members(); ++offset) {
    partners.send(partners.after(offset), step);
    partners.receive(partners.after(offset), step);
  }
  partners.check();
  return {.lanes = {{std::move(step)}}};
}

Plan pairwise(const Member& self, const Goal& goal) {
  Partners partners(self, goal);
  Lane lane(self.members() - 1);
  for (std::size_t offset = 1; offset < self.members(); ++offset) {
    partners.send(partners.after(offset), lane[offset - 1]);
    partners.receive(partners.before(offset), lane[offset - 1]);
  }
  partners.check();
  return {.lanes = {std::move(lane)}, .stepping = Stepping::one_by_one};
}

}  // namespace gradwire::collectives::direct
