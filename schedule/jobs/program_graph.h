#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"

namespace gradwire::jobs {

/// A dependency: node `to` waits for the node at which the edge begins.
struct Edge {
  std::uint32_t to = 0;
  bool is_lagged = false;  ///< whether the lag of `to` counts from the node's end
};

/// One member's call of a group's collective.
struct GroupCall {
  Rank member;
  std::uint32_t group = 0;    ///< number of the group in the job
  std::uint32_t ordinal = 0;  ///< number of calls of the group that the member makes before it
};

/// A program's nodes with their dependencies, and its calls by slot. Both checking a job and
/// running it use this.
class ProgramGraph {
 public:
  /// The graph of a program. Requires that nodes come after earlier ones only. Takes time and
  /// memory in proportion to the nodes and their dependencies.
  explicit ProgramGraph(const Program& program);

  /// The number of nodes.
  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  /// The number of edges to a node: it begins when it has had as many.
  [[nodiscard]] std::uint32_t inputs(std::size_t node) const { return inputs_[node]; }
  /// The edges that begin at a node.
  [[nodiscard]] std::span<const Edge> edges(std::size_t node) const {
    return std::span(edges_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  /// The number of calls of the same slot before this call.
  [[nodiscard]] std::uint32_t ordinal(std::size_t node) const { return ordinals_[node]; }
  /// The nodes that call a slot's group, in order; none for a slot that no node names.
  [[nodiscard]] std::span<const std::uint32_t> calls(std::size_t slot) const;
  /// One more than the largest slot that a node names.
  [[nodiscard]] std::size_t slots() const { return calls_.size(); }

 private:
  std::vector<std::uint32_t> inputs_;
  std::vector<std::uint32_t> starts_;  ///< begin of a node's edges in edges_; one more at the end
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> ordinals_;
  std::vector<std::vector<std::uint32_t>> calls_;  ///< by slot
};

/// The graphs of all programs of a job. Requires the same as ProgramGraph.
[[nodiscard]] std::vector<ProgramGraph> graphs_of(const Job& job);

/// The node in which a member of a group makes its `ordinal`-th call. `graphs` are those of the
/// job. Requires that it makes so many.
[[nodiscard]] std::uint32_t node_of(const Job& job, std::span<const ProgramGraph> graphs,
                                    const GroupCall& call);

}  // namespace gradwire::jobs
