#include "schedule/jobs/program_graph.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

struct Arrow {
  std::uint32_t from = 0;
  Edge edge;
};

std::vector<Arrow> arrows_of(const Program& program) {
  std::vector<Arrow> arrows;
  std::unordered_map<std::uint32_t, std::uint32_t> last;  // of a stream
  for (std::uint32_t node = 0; node < program.nodes.size(); ++node) {
    const Node& self = program.nodes[node];
    if (const auto before = last.find(self.stream); before != last.end()) {
      arrows.push_back({.from = before->second, .edge = {.to = node}});
    }
    last[self.stream] = node;
    for (const std::uint32_t from : self.after) {
      ensure(from < node, "nodes come after earlier ones");
      arrows.push_back({.from = from, .edge = {.to = node, .is_lagged = true}});
    }
  }
  return arrows;
}

}  // namespace

ProgramGraph::ProgramGraph(const Program& program)
    : inputs_(program.nodes.size()),
      starts_(program.nodes.size() + 1),
      ordinals_(program.nodes.size()) {
  const std::vector<Arrow> arrows = arrows_of(program);
  for (const Arrow& arrow : arrows) {
    ++inputs_[arrow.edge.to];
    ++starts_[arrow.from + 1];
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end());
  edges_.resize(arrows.size());
  for (const Arrow& arrow : arrows) edges_[next[arrow.from]++] = arrow.edge;
  for (std::uint32_t node = 0; node < program.nodes.size(); ++node) {
    const Call* call = std::get_if<Call>(&program.nodes[node].what);
    if (call == nullptr) continue;
    if (calls_.size() <= call->slot) calls_.resize(call->slot + std::size_t{1});
    ordinals_[node] = static_cast<std::uint32_t>(calls_[call->slot].size());
    calls_[call->slot].push_back(node);
  }
}

std::span<const std::uint32_t> ProgramGraph::calls(std::size_t slot) const {
  if (slot >= calls_.size()) return {};
  return calls_[slot];
}

std::vector<ProgramGraph> graphs_of(const Job& job) {
  std::vector<ProgramGraph> graphs;
  for (const Program& program : job.programs) graphs.emplace_back(program);
  return graphs;
}

std::uint32_t node_of(const Job& job, std::span<const ProgramGraph> graphs, const GroupCall& call) {
  const Part& part = job.ranks[call.member.index()];
  return graphs[part.program].calls(part.slot_of(call.group))[call.ordinal];
}

}  // namespace gradwire::jobs
