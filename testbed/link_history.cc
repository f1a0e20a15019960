#include "testbed/link_history.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/units.h"

namespace gradwire::testbed {
namespace {

std::string shaper(std::uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return "none";
  return to_string(BitRate{8 * static_cast<double>(bytes_per_second)});
}

}  // namespace

LinkHistory::LinkHistory(std::vector<std::string> interfaces, Carrier carrier)
    : interfaces_(std::move(interfaces)), carrier_(carrier) {}

void LinkHistory::note(std::span<const LinkState> states, TimePoint time) {
  ensure(states.size() == interfaces_.size(), "every interface has a state");
  const bool begins = states_.empty();
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (begins) states_.push_back({.first = states[i], .last = states[i]});
    note_trouble(i, states[i], time);
    note_settings(i, states[i], time);
    states_[i].last = states[i];
  }
}

LinkHistory::Trouble LinkHistory::trouble_of(const LinkState& first, const LinkState& state) const {
  if (!state.set_up) return Trouble::down;
  if (carrier_ == Carrier::needed && !state.has_carrier) return Trouble::no_carrier;
  if (state.bridge != first.bridge) return Trouble::detached;
  // Peers go on sending packets of the size that was agreed on, and some are dropped.
  return state.mtu < first.mtu ? Trouble::small_mtu : Trouble::none;
}

void LinkHistory::note_trouble(std::size_t interface, const LinkState& state, TimePoint time) {
  Interface& known = states_[interface];
  const Trouble trouble = trouble_of(known.first, state);
  const bool was_well = known.trouble == Trouble::none;
  if (trouble != Trouble::none) {
    if (was_well) known.since = time;
    known.small_mtu = state.mtu;
    known.trouble = trouble;
    return;
  }
  if (!was_well) {
    const std::string what = fmt::format("{} for {:.2f} s", described(interface, true),
                                         Seconds(time - known.since).count());
    events_.push_back({.interface = interface, .what = what, .when = time});
    known.trouble = Trouble::none;
  } else if (carrier_ == Carrier::needed && state.carrier_changes != known.last.carrier_changes) {
    // It went and came back before anybody looked.
    const std::string what = fmt::format("{} was down for a moment", interfaces_[interface]);
    events_.push_back({.interface = interface, .what = what, .when = time});
  }
}

void LinkHistory::note_settings(std::size_t interface, const LinkState& state, TimePoint time) {
  const LinkState& last = states_[interface].last;
  const std::string& name = interfaces_[interface];
  if (last.mtu == 0 || state.mtu == 0) return;  // it is not there
  const auto changed = [&](std::string what) {
    events_.push_back(
        {.interface = interface, .what = std::move(what), .when = time, .lasts = true});
  };
  if (state.shaped_to != last.shaped_to) {
    changed(fmt::format("the shaper of {} went from {} to {}", name, shaper(last.shaped_to),
                        shaper(state.shaped_to)));
  }
}

std::string LinkHistory::described(std::size_t interface, bool is_over) const {
  const Interface& known = states_[interface];
  const std::string name = fmt::format("{} {}", interfaces_[interface], is_over ? "was" : "is");
  switch (known.trouble) {
    case Trouble::none:
      break;
    case Trouble::down:
      return name + " down";
    case Trouble::no_carrier:
      return name + " down (no carrier)";
    case Trouble::detached:
      return name + " detached from its switch";
    case Trouble::small_mtu:
      return fmt::format("{} {} MTU {} instead of {}", interfaces_[interface],
                         is_over ? "had" : "has", known.small_mtu, known.first.mtu);
  }
  throw_bug("an interface without trouble is not described");
}

std::vector<LinkHistory::Outage> LinkHistory::outages() const {
  std::vector<Outage> outages;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].trouble == Trouble::none) continue;
    outages.push_back({.interface = i, .what = described(i, false), .since = states_[i].since});
  }
  return outages;
}

TimePoint LinkHistory::first_outage() const {
  TimePoint first = TimePoint::max();
  for (const Interface& interface : states_) {
    if (interface.trouble != Trouble::none) first = std::min(first, interface.since);
  }
  return first;
}

std::vector<LinkHistory::Event> LinkHistory::take_events(TimePoint since) {
  std::vector<Event> events = std::exchange(events_, {});
  std::erase_if(events, [since](const Event& event) { return !event.lasts && event.when < since; });
  return events;
}

}  // namespace gradwire::testbed
