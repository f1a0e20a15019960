#include "harness/run/emulated/switch_watch.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "testbed/net_namespace.h"

namespace gradwire::run {
namespace {

using testbed::LinkHistory;
using topologies::Attachment;

constexpr Nanoseconds kBetweenLooks = std::chrono::milliseconds(20);

}  // namespace

SwitchWatch::SwitchWatch(const testbed::Emulation& emulation,
                         std::shared_ptr<const topologies::Topology> topology, const Clock& clock)
    : topology_(std::move(topology)), clock_(clock) {
  for (testbed::Emulation::SwitchSpace& space : emulation.switch_spaces()) {
    const testbed::InNamespace inside(space.namespace_fd);
    std::vector<std::string> names;
    for (const Interface& interface : space.interfaces) names.push_back(interface.name);
    spaces_.push_back({.news = testbed::open_link_news(),
                       .reader = testbed::LinkReader(),
                       .interfaces = std::move(space.interfaces),
                       .history = LinkHistory(names, LinkHistory::Carrier::ignored)});
    Space& made = spaces_.back();
    made.history.note(made.reader.read(made.history.interfaces()), clock_.now());
  }
}

void SwitchWatch::look() {
  looked_ = clock_.now();
  for (Space& space : spaces_) {
    if (!testbed::drain_link_news(space.news.get())) continue;
    space.history.note(space.reader.read(space.history.interfaces()), clock_.now());
  }
}

std::optional<FabricError> SwitchWatch::find_down(Nanoseconds at_least) {
  if (clock_.now() >= looked_ + kBetweenLooks) look();
  const TimePoint latest = clock_.now() - at_least;
  for (const Space& space : spaces_) {
    if (space.history.first_outage() <= latest) return down(space, space.history.outages());
  }
  return std::nullopt;
}

FabricError SwitchWatch::down(const Space& space,
                              const std::vector<LinkHistory::Outage>& outages) const {
  const auto first = std::ranges::min_element(outages, {}, &LinkHistory::Outage::since);
  const Interface& named = space.interfaces[first->interface];
  std::vector<std::string> behind;
  if (!named.port) {
    for (std::size_t port = 0; port < topology_->ports_of(named.node); ++port) {
      behind.push_back(far_end({.name = "", .node = named.node, .port = Port(port)}));
    }
    return {FabricFailure::link_down,
            {},
            fmt::format("{}: {}; behind it: {}", switch_of(named), first->what,
                        fmt::join(behind, "; "))};
  }
  for (const LinkHistory::Outage& outage : outages) {
    const Interface& other = space.interfaces[outage.interface];
    if (other.node == named.node && other.port) {
      behind.push_back(fmt::format("{}, its end of the cable to {}", outage.what, far_end(other)));
    }
  }
  FabricPlace place;
  const Attachment far = topology_->opposite({named.node, *named.port});
  if (topology_->is_host(far.node) && behind.size() == 1) {
    place = {.rank = Rank(far.node.index()), .port = far.port};
  }
  return {FabricFailure::link_down, place,
          fmt::format("{}: {}", switch_of(named), fmt::join(behind, "; "))};
}

std::vector<std::string> SwitchWatch::take_changes(TimePoint since) {
  look();
  std::vector<std::string> changes;
  for (Space& space : spaces_) {
    for (const LinkHistory::Event& event : space.history.take_events(since)) {
      const Interface& interface = space.interfaces[event.interface];
      changes.push_back(interface.port ? fmt::format("{}, {}: {}", far_end(interface),
                                                     switch_of(interface), event.what)
                                       : fmt::format("{}: {}", switch_of(interface), event.what));
    }
  }
  return changes;
}

std::string SwitchWatch::switch_of(const Interface& interface) const {
  return topology_->label(interface.node);
}

std::string SwitchWatch::far_end(const Interface& interface) const {
  const Attachment far = topology_->opposite({interface.node, *interface.port});
  if (!topology_->is_host(far.node)) return topology_->label(far.node);
  return fmt::format("rank {}, port {}", far.node.index(), far.port.index());
}

}  // namespace gradwire::run
