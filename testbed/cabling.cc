#include "testbed/cabling.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbed/calibration.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::Topology;

std::string words(const Attachment& port) {
  return fmt::format("rank {}, port {}", port.node.index(), port.port.index());
}

std::string words(const std::vector<Attachment>& ports) {
  std::vector<std::string> all;
  for (const Attachment& port : ports) all.push_back(words(port));
  return fmt::format("{}", fmt::join(all, ", or "));
}

/// Groups of ports that hear each other, directly or through others: each is the ports of one
/// switch.
std::vector<std::vector<Attachment>> segments(std::span<const Hearing> heard) {
  std::map<Attachment, std::size_t> numbers;
  for (const Hearing& hearing : heard) {
    numbers.try_emplace(hearing.by, numbers.size());
    numbers.try_emplace(hearing.of, numbers.size());
  }
  std::vector<std::size_t> leader(numbers.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&leader](std::size_t number) {
    while (leader[number] != number) number = leader[number] = leader[leader[number]];
    return number;
  };
  for (const Hearing& hearing : heard) {
    leader[find(numbers.at(hearing.by))] = find(numbers.at(hearing.of));
  }
  std::map<std::size_t, std::vector<Attachment>> found;
  for (const auto& [port, number] : numbers) found[find(number)].push_back(port);
  std::vector<std::vector<Attachment>> all;
  for (auto& [number, ports] : found) all.push_back(std::move(ports));
  std::ranges::sort(all);
  return all;
}

/// Counts the ports that belong to each switch.
std::map<NodeId, std::size_t> members(const Topology& topology,
                                      const std::vector<Attachment>& ports) {
  std::map<NodeId, std::size_t> counts;
  for (const Attachment& port : ports) ++counts[topology.opposite(port).node];
  return counts;
}

/// Assigns a switch to each segment. The largest agreement goes first; a switch gets a second
/// segment only when all switches of the segment's ports are taken.
std::vector<NodeId> assign(const Topology& topology,
                           const std::vector<std::vector<Attachment>>& segments) {
  struct Vote {
    std::size_t count;
    std::size_t segment;
    NodeId node;
  };
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const auto& [node, count] : members(topology, segments[i])) {
      votes.push_back({count, i, node});
    }
  }
  std::ranges::stable_sort(votes, std::ranges::greater(), &Vote::count);
  std::map<std::size_t, NodeId> found;
  std::set<NodeId> taken;
  for (const Vote& vote : votes) {
    if (found.contains(vote.segment) || taken.contains(vote.node)) continue;
    found[vote.segment] = vote.node;
    taken.insert(vote.node);
  }
  for (const Vote& vote : votes) found.try_emplace(vote.segment, vote.node);
  std::vector<NodeId> switches;
  for (const auto& [segment, node] : found) switches.push_back(node);
  return switches;
}

}  // namespace

std::vector<std::string> misplaced_ports(const Topology& topology, std::span<const Hearing> heard) {
  const std::vector<std::vector<Attachment>> all = segments(heard);
  const std::vector<NodeId> switches = assign(topology, all);
  std::map<Attachment, std::string> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::map<NodeId, std::size_t> counts = members(topology, all[i]);
    for (const Attachment& port : all[i]) {
      const NodeId planned = topology.opposite(port).node;
      if (planned == switches[i]) continue;
      std::string text = fmt::format("{} is on {} instead of {}", words(port),
                                     topology.label(switches[i]), topology.label(planned));
      const auto own = counts.find(switches[i]);
      if (own != counts.end() && counts.at(planned) >= own->second) {
        std::vector<Attachment> others;
        std::ranges::copy_if(all[i], std::back_inserter(others), [&](const Attachment& other) {
          return topology.opposite(other).node == switches[i];
        });
        text += fmt::format(" (unless it is {} that is on {} instead of {})", words(others),
                            topology.label(planned), topology.label(switches[i]));
      }
      found.emplace(port, std::move(text));
    }
  }
  std::vector<std::string> texts;
  for (auto& [port, text] : found) texts.push_back(std::move(text));
  return texts;
}

std::vector<std::string> small_ports(const Topology& topology, std::span<const Hearing> heard,
                                     std::size_t mtu) {
  std::map<std::pair<Attachment, Attachment>, bool> full;
  for (const Hearing& hearing : heard) full[{hearing.by, hearing.of}] = hearing.full;
  std::map<NodeId, std::map<Attachment, std::size_t>> blamed;  // by switch: pairs that a port is in
  for (const Flow& flow : calibration_flows(topology)) {
    const Attachment from{topology.host(flow.from), flow.via};
    const Attachment to{topology.host(flow.to), flow.at};
    const auto pair = full.find({to, from});
    if (pair == full.end() || pair->second) continue;
    auto& counts = blamed[topology.opposite(from).node];
    ++counts[from];
    ++counts[to];
  }
  std::vector<std::string> texts;
  for (const auto& [node, counts] : blamed) {
    const std::size_t most = std::ranges::max(counts | std::views::values);
    std::vector<Attachment> ports;
    for (const auto& [port, count] : counts) {
      if (count == most) ports.push_back(port);
    }
    texts.push_back(
        fmt::format("{} passes no frame of MTU {}, only short ones", words(ports), mtu));
  }
  return texts;
}

}  // namespace gradwire::testbed
