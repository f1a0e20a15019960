#include <array>

#include <fmt/format.h>

#include "tests/faults/loopback/scenario.h"

namespace gradwire::faults {
namespace {

std::string describe(const RankFault& fault) {
  constexpr std::array kWhat{"dies", "stops", "pauses"};
  constexpr std::array kAt{"coming to meeting", "leaving meeting", "at operation"};
  return fmt::format("rank {} {} {} {}", fault.rank.index(),
                     kWhat.at(static_cast<std::size_t>(fault.what)),
                     kAt.at(static_cast<std::size_t>(fault.when.at)), fault.when.number);
}

std::string describe(const StreamFault& fault) {
  constexpr std::array kWhat{"flip",     "swap", "repeat", "replay", "drop",
                             "truncate", "cut",  "delay",  "silence"};
  const transport::tcp::ChannelName& channel = fault.channel;
  std::string text = fmt::format(
      "{} in unit {} that rank {} {} rank {} over lane {}, port {} to port {}; {} bytes kept",
      kWhat.at(static_cast<std::size_t>(fault.what)), fault.unit, fault.caller.index(),
      fault.to_caller ? "gets from" : "sends", channel.peer.rank.index(), channel.lane,
      channel.peer.via.index(), channel.peer.at.index(), fault.kept);
  for (const std::size_t bit : fault.bits) text += fmt::format(", bit {}", bit);
  if (fault.every_time) text += ", every time";
  return text;
}

std::string describe(const Visit& visit) {
  constexpr std::array kWho{"strangers",    "a crowd",      "a first claim",
                            "a late claim", "an odd claim", "another run's rank"};
  return fmt::format("{} at rank {}, brought by rank {}: rank {}, lane {}, port {} to port {}",
                     kWho.at(static_cast<std::size_t>(visit.who)), visit.door.index(),
                     visit.guide.index(), visit.claimed.index(), visit.channel.lane,
                     visit.channel.peer.via.index(), visit.channel.peer.at.index());
}

}  // namespace

std::string_view to_string(Must must) {
  switch (must) {
    case Must::complete:
      return "complete";
    case Must::name_rank:
      return "name the rank";
    case Must::name_all:
      return "name all of them";
    case Must::name_link:
      return "name the link";
    case Must::name_odd:
      return "name the rank";
    case Must::count_wrong:
      return "count each";
  }
  return "";
}

std::string describe(const Scenario& scenario) {
  std::string text = fmt::format("{} on {}, {} elements, {} executions", scenario.algorithm,
                                 scenario.wiring, scenario.elements, scenario.executions);
  for (const RankFault& fault : scenario.rank_faults) text += "; " + describe(fault);
  if (scenario.stream) text += "; " + describe(*scenario.stream);
  if (scenario.visit) text += "; " + describe(*scenario.visit);
  if (const auto& poison = scenario.poison) {
    text += fmt::format("; {} in element {} of rank {} in execution {}", poison->value,
                        poison->element, poison->rank.index(), poison->execution);
  }
  if (const auto& odd = scenario.odd_plan) {
    text += fmt::format("; rank {} has {} for {} elements", odd->rank.index(), odd->algorithm,
                        odd->elements);
  }
  return text;
}

}  // namespace gradwire::faults
