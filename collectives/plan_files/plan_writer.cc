#include "collectives/plan_files/plan_writer.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "collectives/plan_files/steppings.h"
#include "core/error.h"

namespace gradwire::plan_files {
namespace {

/// The rank whose part an element is in, by element.
std::vector<Rank> owners_of(const Goal& goal, const Parts& parts) {
  std::vector<Rank> owners(goal.elements);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    for (const Extent& extent : parts[rank]) {
      std::fill_n(owners.begin() + static_cast<std::ptrdiff_t>(extent.first), extent.count,
                  Rank(rank));
    }
  }
  return owners;
}

/// Whether each rank in turn owns equally many chunks, which is the default of the form.
bool are_in_turn(const PlanFile& file) {
  if (file.chunks % file.members != 0) return false;
  for (std::size_t chunk = 0; chunk < file.owners.size(); ++chunk) {
    if (file.owners[chunk].index() != chunk / (file.chunks / file.members)) return false;
  }
  return true;
}

/// The first rank, after `from`, that begins or ends with something.
Rank first_with(const Parts& parts, std::size_t from = 0) {
  while (parts[from].empty()) ++from;
  return Rank(from);
}

void add_goal(const NamedPlans& named, PlanFile& file) {
  const Goal& goal = named.goal;
  if (named.collective == "all-gather") file.owners = owners_of(goal, goal.begins);
  if (named.collective == "reduce-scatter") file.owners = owners_of(goal, goal.ends);
  if (named.collective == "all-reduce") file.servers = servers(goal);
  if (named.collective == "broadcast") file.root = first_with(goal.begins);
  if (named.collective == "reduce") file.root = first_with(goal.ends);
  if (named.collective == "send") file.root = first_with(goal.ends, 1);
  if (named.collective == "all-to-all" && goal.elements % (file.members * file.members) != 0) {
    throw InputError(
        fmt::format("an all-to-all of {} ranks is written down for a multiple of {} "
                    "elements: --elements {}",
                    file.members, file.members, file.members));
  }
}

/// The way in which the receiver combines a send of this step.
Combine how_of(const Step& theirs, Rank sender, const Extent& what) {
  const auto met = std::ranges::find_if(theirs.recvs, [&](const Recv& recv) {
    return recv.from.rank == sender && recv.where == what;
  });
  ensure(met != theirs.recvs.end(), "what is sent is received");
  return met->how;
}

void add_sends(const topologies::Topology& topology, const NamedPlans& named, Rank rank,
               PlanFile& file) {
  const std::vector<Lane>& lanes = named.plans[rank.index()].lanes;
  if (file.lanes.size() < lanes.size()) file.lanes.resize(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (file.lanes[lane].size() < lanes[lane].size()) file.lanes[lane].resize(lanes[lane].size());
    for (std::size_t step = 0; step < lanes[lane].size(); ++step) {
      for (const Send& send : lanes[lane][step].sends) {
        const Step& theirs = named.plans[send.to.rank.index()].lanes[lane][step];
        Transfer transfer{.from = rank,
                          .to = send.to.rank,
                          .chunk = send.what.first,
                          .count = send.what.count,
                          .how = how_of(theirs, rank, send.what)};
        if (send.to.at != topology.arrival_port(rank, send.to.rank)) transfer.at = send.to.at;
        file.lanes[lane][step].push_back(transfer);
      }
    }
  }
}

std::string text_of(const Transfer& transfer) {
  std::string text = fmt::format(R"({{"from": {}, "to": {}, "chunk": {})", transfer.from.index(),
                                 transfer.to.index(), transfer.chunk);
  if (transfer.count != 1) text += fmt::format(R"(, "count": {})", transfer.count);
  if (transfer.how == Combine::add) text += R"(, "how": "add")";
  if (transfer.at) text += fmt::format(R"(, "at": {})", transfer.at->index());
  return text + "}";
}

std::string text_of(const FileLane& lane) {
  std::vector<std::string> steps;
  for (const FileStep& step : lane) {
    std::vector<std::string> transfers;
    for (const Transfer& transfer : step) transfers.push_back(text_of(transfer));
    steps.push_back(fmt::format("   [{}]", fmt::join(transfers, ",\n    ")));
  }
  return fmt::format("  [\n{}\n  ]", fmt::join(steps, ",\n"));
}

std::string text_of(std::string_view key, const std::vector<Rank>& ranks) {
  std::vector<std::size_t> numbers;
  for (const Rank rank : ranks) numbers.push_back(rank.index());
  return numbers.empty() ? "" : fmt::format(" \"{}\": [{}],\n", key, fmt::join(numbers, ", "));
}

}  // namespace

PlanFile plan_file_of(const topologies::Topology& topology, const NamedPlans& named) {
  PlanFile file{.name = named.name.size() > kLongestName ? named.collective : named.name,
                .collective = named.collective,
                .members = named.plans.size(),
                .chunks = named.goal.elements,
                .stepping = named.plans.front().stepping,
                .lanes = std::vector<FileLane>(1)};
  if (file.chunks > kMostChunks) {
    throw InputError(
        fmt::format("every element becomes a chunk; {} of {} at most", kMostChunks, file.chunks));
  }
  add_goal(named, file);
  for (std::size_t rank = 0; rank < named.plans.size(); ++rank) {
    add_sends(topology, named, Rank(rank), file);
  }
  if (file.lanes.size() > kMostLanes) {
    throw InputError(
        fmt::format("{} lanes; a plan file has {} at most", file.lanes.size(), kMostLanes));
  }
  return file;
}

std::string to_text(const PlanFile& file) {
  std::string text = "{\"gradwire-plan\": 1,\n";
  if (!file.name.empty()) text += fmt::format(" \"name\": {},\n", nlohmann::json(file.name).dump());
  text += fmt::format(" \"collective\": \"{}\",\n \"members\": {},\n \"chunks\": {},\n",
                      file.collective, file.members, file.chunks);
  const std::string& what = file.collective;
  if (what == "broadcast" || what == "reduce" || what == "send") {
    text += fmt::format(" \"root\": {},\n", file.root.index());
  }
  if (!are_in_turn(file)) text += text_of("owners", file.owners);
  text += text_of("servers", file.servers);
  text += fmt::format(" \"stepping\": \"{}\",\n", kSteppings.name_of(file.stepping));
  std::vector<std::string> lanes;
  for (const FileLane& lane : file.lanes) lanes.push_back(text_of(lane));
  return text + fmt::format(" \"lanes\": [\n{}\n ]}}\n", fmt::join(lanes, ",\n"));
}

}  // namespace gradwire::plan_files
