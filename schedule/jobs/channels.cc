#include "schedule/jobs/channels.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gradwire::jobs {
namespace {

/// The properties that calls of a group share if they belong to one channel.
using Kind = std::tuple<Collective, Dtype, std::uint32_t, std::vector<std::uint32_t>>;

/// Finds the channels of one group after the other.
class Finder {
 public:
  Finder(const Job& job, std::span<const ProgramGraph> graphs)
      : job_(job), graphs_(graphs), rounds_of_(job.ranks.size()) {}

  Channels run() {
    for (std::uint32_t group = 0; group < job_.groups.size(); ++group) add_group(group);
    return std::move(found_);
  }

 private:
  void add_group(std::uint32_t group) {
    std::map<Kind, std::uint32_t> known;
    std::vector<std::uint32_t> calls;  // so far, by channel
    const std::size_t first = found_.all.size();
    auto& places = found_.calls.emplace_back();
    for (std::uint32_t ordinal = 0; ordinal < calls_of(group); ++ordinal) {
      auto [call, kind] = call_of(group, ordinal);
      const auto next = static_cast<std::uint32_t>(found_.all.size());
      const auto [found, is_new] = known.emplace(std::move(kind), next);
      if (is_new) add_channel(group, call);
      const std::uint32_t number = found->second;
      calls.resize(found_.all.size() - first);
      places.push_back({.channel = number,
                        .size = count(found_.all[number], call.elements),
                        .number = calls[number - first]++});
    }
  }

  [[nodiscard]] std::size_t calls_of(std::uint32_t group) const {
    const Group& members = job_.groups[group].ranks;
    if (members.empty()) return 0;
    const Part& part = job_.ranks[members.front().index()];
    return graphs_[part.program].calls(part.slot_of(group)).size();
  }

  [[nodiscard]] std::pair<Call, Kind> call_of(std::uint32_t group, std::uint32_t ordinal) const {
    Call call;
    std::vector<std::uint32_t> streams;
    for (const Rank member : job_.groups[group].ranks) {
      const Program& program = job_.programs[job_.ranks[member.index()].program];
      const Node& node = program.nodes[node_of(job_, graphs_, {member, group, ordinal})];
      call = std::get<Call>(node.what);
      streams.push_back(node.stream);
    }
    return {call, Kind{call.what, call.dtype, call.root, std::move(streams)}};
  }

  void add_channel(std::uint32_t group, const Call& call) {
    std::size_t round = 0;
    for (const Rank member : job_.groups[group].ranks) {
      round = std::max(round, rounds_of_[member.index()]);
    }
    for (const Rank member : job_.groups[group].ranks) rounds_of_[member.index()] = round + 1;
    found_.rounds = std::max(found_.rounds, round + 1);
    found_.all.push_back({.group = group,
                          .call = {.what = call.what, .dtype = call.dtype, .root = call.root},
                          .round = round});
  }

  /// Counts one more call of so many elements. Returns the index of that size in the channel's
  /// sizes.
  static std::uint32_t count(Channel& channel, std::size_t elements) {
    const auto found = std::ranges::find(channel.sizes, elements);
    const auto place = static_cast<std::uint32_t>(found - channel.sizes.begin());
    if (found == channel.sizes.end()) {
      channel.sizes.push_back(elements);
      channel.counts.push_back(0);
    }
    ++channel.counts[place];
    return place;
  }

  const Job& job_;
  std::span<const ProgramGraph> graphs_;
  std::vector<std::size_t> rounds_of_;  ///< by rank: the rounds of its channels so far
  Channels found_;
};

}  // namespace

Channels channels_of(const Job& job, std::span<const ProgramGraph> graphs) {
  return Finder(job, graphs).run();
}

const ChannelCall& call_in(const Job& job, std::span<const ProgramGraph> graphs,
                           const Channels& channels, Rank rank, std::size_t node) {
  const Part& part = job.ranks[rank.index()];
  const auto& call = std::get<Call>(job.programs[part.program].nodes[node].what);
  return channels.calls[part.groups[call.slot]][graphs[part.program].ordinal(node)];
}

}  // namespace gradwire::jobs
