#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"

namespace gradwire::jobs {

/// Who waits for a node of a program.
struct Edge {
  std::uint32_t to = 0;
  bool is_lagged =
      false;  ///< `to` begins its lag later than the node's end; else it only follows it
};

/// One member's call of a group's collective.
struct GroupCall {
  Rank member;
  std::uint32_t group = 0;    ///< its number in the job
  std::uint32_t ordinal = 0;  ///< how many calls of the group the member makes before it
};

/// A program's nodes with who waits for whom, and its calls by slot. Checking a job and running it
/// both go by this.
class ProgramGraph {
 public:
  /// Requires that nodes come after earlier ones only. Takes time and memory in proportion to the
  /// nodes and what they come after.
  explicit ProgramGraph(const Program& program);

  /// How many nodes the program has.
  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  /// How many edges lead to a node: it begins when it has had as many.
  [[nodiscard]] std::uint32_t inputs(std::size_t node) const { return inputs_[node]; }
  /// The edges that begin at a node.
  [[nodiscard]] std::span<const Edge> edges(std::size_t node) const {
    return std::span(edges_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  /// Of a call: how many calls of its slot stand before it.
  [[nodiscard]] std::uint32_t ordinal(std::size_t node) const { return ordinals_[node]; }
  /// The nodes that call a slot's group, in order; none for a slot that no node names.
  [[nodiscard]] std::span<const std::uint32_t> calls(std::size_t slot) const;
  /// One more than the largest slot that a node names.
  [[nodiscard]] std::size_t slots() const { return calls_.size(); }

 private:
  std::vector<std::uint32_t> inputs_;
  std::vector<std::uint32_t> starts_;  ///< of a node's edges in edges_; one more at the end
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> ordinals_;
  std::vector<std::vector<std::uint32_t>> calls_;  ///< by slot
};

/// The graphs of all programs of a job. Requires as ProgramGraph.
[[nodiscard]] std::vector<ProgramGraph> graphs_of(const Job& job);

/// The node in which a member of a group makes its `ordinal`-th call. `graphs` are those of the job.
/// Requires that it makes so many.
[[nodiscard]] std::uint32_t node_of(const Job& job, std::span<const ProgramGraph> graphs,
                                    const GroupCall& call);

}  // namespace gradwire::jobs
