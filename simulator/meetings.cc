#include "simulator/meetings.h"

#include <utility>

#include "core/error.h"

namespace gradwire::simulator {

Meetings::Meetings(const WholeFabric& whole, const Tenant& tenant, const PlansOf& plans_of,
                   Machine& machine)
    : whole_(whole),
      tenant_(tenant),
      plans_of_(plans_of),
      machine_(machine),
      fabrics_(tenant.job.groups.size()),
      places_(tenant.job.groups.size()),
      current_(tenant.job.groups.size()) {
  for (std::size_t group = 0; group < places_.size(); ++group) {
    const Group& ranks = tenant.job.groups[group].ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i) places_[group][ranks[i].index()] = i;
  }
}

Meetings::Seat Meetings::seat(std::size_t rank, std::uint32_t group, std::uint64_t ordinal,
                              const jobs::Call& call) {
  const auto found = current_[group].find(ordinal);
  return {
      .collective = found == current_[group].end() ? begin(group, ordinal, call) : found->second,
      .place = places_[group].at(rank)};
}

std::size_t Meetings::rank_at(std::uint32_t collective, std::size_t place) const {
  return tenant_.job.groups[meetings_.at(collective).group].ranks[place].index();
}

bool Meetings::leave(std::uint32_t collective) {
  return --meetings_.at(collective).members_left == 0;
}

void Meetings::retire(std::uint32_t collective) {
  const auto found = meetings_.find(collective);
  ensure(found != meetings_.end() && found->second.members_left == 0, "a collective ends once");
  const Meeting& meeting = found->second;
  current_[meeting.group].erase(meeting.ordinal);
  Lanes lanes = machine_.remove(collective);
  lanes.rewind();
  meeting.kind->idle.push_back(std::move(lanes));
  meetings_.erase(found);
}

std::uint32_t Meetings::begin(std::uint32_t group, std::uint64_t ordinal, const jobs::Call& call) {
  Kind& kind = kind_of(group, call);
  std::optional<Lanes> lanes;
  if (kind.idle.empty()) {
    lanes = kind.fresh;
  } else {
    lanes = std::move(kind.idle.back());
    kind.idle.pop_back();
  }
  const auto bytes = static_cast<double>(size_of(call.dtype));
  const std::uint32_t collective = machine_.add(*fabrics_[group], *std::move(lanes), bytes);
  meetings_[collective] = {.group = group,
                           .ordinal = ordinal,
                           .kind = &kind,
                           .members_left = tenant_.job.groups[group].ranks.size()};
  current_[group][ordinal] = collective;
  messages_ += kind.messages;
  return collective;
}

Meetings::Kind& Meetings::kind_of(std::uint32_t group, const jobs::Call& call) {
  const KindKey key{group, call.what, call.elements, call.dtype, call.root};
  if (const auto known = kinds_.find(key); known != kinds_.end()) return known->second;
  Group hosts;
  for (const Rank rank : tenant_.job.groups[group].ranks) {
    hosts.push_back(tenant_.seats[rank.index()]);
  }
  if (!fabrics_[group]) fabrics_[group].emplace(whole_, hosts);
  jobs::Call kind = call;
  kind.slot = 0;
  Lanes lanes(*fabrics_[group], plans_of_(kind, hosts));
  const std::uint64_t messages = lanes.messages();
  return kinds_.emplace(key, Kind{.fresh = std::move(lanes), .messages = messages}).first->second;
}

}  // namespace gradwire::simulator
