#include "schedule/jobs/waits.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

/// A node of a rank.
struct Place {
  std::uint32_t rank = 0;
  std::uint32_t node = 0;
};

/// A run of a job without time.
class TimelessRun {
 public:
  TimelessRun(const Job& job, std::span<const ProgramGraph> graphs) : job_(job), graphs_(graphs) {
    for (const Part& part : job.ranks) {
      const ProgramGraph& graph = graphs[part.program];
      auto& inputs = inputs_.emplace_back(graph.size());
      for (std::size_t node = 0; node < graph.size(); ++node) inputs[node] = graph.inputs(node);
    }
    called_.resize(job.groups.size());
  }

  /// Runs every node that can run.
  void run() {
    for (std::uint32_t rank = 0; rank < inputs_.size(); ++rank) {
      for (std::uint32_t node = 0; node < inputs_[rank].size(); ++node) {
        if (graph(rank).inputs(node) == 0) ready_.push_back({rank, node});
      }
    }
    while (!ready_.empty()) {
      const Place place = ready_.back();
      ready_.pop_back();
      begin(place);
    }
  }

  /// The first node of a rank that is not over. The nodes before it are, so it has called its
  /// collective. Nothing if all are over.
  [[nodiscard]] std::optional<std::uint32_t> waiting_call(std::size_t rank) const {
    for (std::uint32_t node = 0; node < inputs_[rank].size(); ++node) {
      if (inputs_[rank][node] != kDone) return node;
    }
    return std::nullopt;
  }

  /// The call of a member that has not called yet the collective that `place` has called.
  [[nodiscard]] Place missing(const Place& place) const {
    const Call& call = std::get<Call>(program(place.rank).nodes[place.node].what);
    const std::uint32_t number = group_number(place.rank, call.slot);
    const std::uint32_t ordinal = graph(place.rank).ordinal(place.node);
    for (const Rank member : job_.groups[number].ranks) {
      const std::uint32_t theirs = node_of(job_, graphs_, {member, number, ordinal});
      if (inputs_[member.index()][theirs] != 0) return {member.value, theirs};
    }
    throw_bug("a collective that all members have called is over");
  }

  /// The call in which a rank waits before it can begin a node.
  [[nodiscard]] Place held_up(Place place) const {
    const std::vector<std::uint32_t>& inputs = inputs_[place.rank];
    const std::vector<Node>& nodes = program(place.rank).nodes;
    while (inputs[place.node] != 0) {
      const Node& node = nodes[place.node];
      std::uint32_t before = 0;
      while (inputs[before] == kDone ||
             (nodes[before].stream != node.stream &&
              std::ranges::find(node.after, before) == node.after.end())) {
        ++before;
      }
      place.node = before;
    }
    return place;
  }

 private:
  static constexpr std::uint32_t kDone = UINT32_MAX;

  [[nodiscard]] const ProgramGraph& graph(std::size_t rank) const {
    return graphs_[job_.ranks[rank].program];
  }
  [[nodiscard]] const Program& program(std::size_t rank) const {
    return job_.programs[job_.ranks[rank].program];
  }
  [[nodiscard]] std::uint32_t group_number(std::size_t rank, std::size_t slot) const {
    return job_.ranks[rank].groups[slot];
  }
  void begin(Place place) {
    const Call* call = std::get_if<Call>(&program(place.rank).nodes[place.node].what);
    if (call == nullptr) return finish(place);
    const std::uint32_t number = group_number(place.rank, call->slot);
    const std::uint32_t ordinal = graph(place.rank).ordinal(place.node);
    std::vector<std::uint32_t>& called = called_[number];
    if (called.size() <= ordinal) called.resize(ordinal + std::size_t{1});
    const Group& members = job_.groups[number].ranks;
    if (++called[ordinal] < members.size()) return;
    for (const Rank member : members) {
      finish({member.value, node_of(job_, graphs_, {member, number, ordinal})});
    }
  }

  void finish(Place place) {
    std::vector<std::uint32_t>& inputs = inputs_[place.rank];
    inputs[place.node] = kDone;
    for (const Edge& edge : graph(place.rank).edges(place.node)) {
      if (--inputs[edge.to] == 0) ready_.push_back({place.rank, edge.to});
    }
  }

  const Job& job_;
  std::span<const ProgramGraph> graphs_;
  /// The edges still missing, by rank, node; or kDone.
  std::vector<std::vector<std::uint32_t>> inputs_;
  /// The number of members that have called, by group, ordinal.
  std::vector<std::vector<std::uint32_t>> called_;
  std::vector<Place> ready_;
};

}  // namespace

std::vector<Wait> endless_waits(const Job& job, std::span<const ProgramGraph> graphs) {
  TimelessRun run(job, graphs);
  run.run();
  std::uint32_t first = 0;
  while (first < job.ranks.size() && !run.waiting_call(first)) ++first;
  if (first == job.ranks.size()) return {};
  // Whatever holds a rank up is held up, too: following these ends in a circle.
  std::vector<Wait> waits;
  Place place{first, run.waiting_call(first).value()};
  for (;;) {
    const auto before = std::ranges::find_if(waits, [&](const Wait& wait) {
      return wait.rank == place.rank && wait.node == place.node;
    });
    if (before != waits.end()) {
      waits.erase(waits.begin(), before);
      return waits;
    }
    const Place missing = run.missing(place);
    waits.push_back({.rank = place.rank, .node = place.node, .for_rank = missing.rank});
    place = run.held_up(missing);
  }
}

}  // namespace gradwire::jobs
