#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/dtype.h"
#include "core/goal.h"
#include "core/units.h"

/// A job: for each rank a program of computing and collectives, with dependencies.
namespace gradwire::jobs {

/// The collectives that a program may call; core/goal.h defines each.
enum class Collective : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  broadcast,
  reduce,
  all_to_all,
  send,
};

/// The collective's name: "all-reduce", "reduce-scatter", "all-gather", "broadcast", "reduce",
/// "all-to-all" or "send".
[[nodiscard]] std::string_view to_string(Collective collective);
/// The collective of this name; nothing for another one.
[[nodiscard]] std::optional<Collective> find_collective(std::string_view name);

/// The computing of a rank.
struct Compute {
  Seconds time{};  ///< finite, not below 0
};

/// The part of a rank in a collective of one of its groups. The n-th call of a group, in the order
/// of the program's nodes, is the same collective on all its members: same kind, elements, type,
/// root.
struct Call {
  Collective what{};
  std::uint32_t slot = 0;    ///< number among the rank's groups
  std::size_t elements = 0;  ///< above 0; for an all-to-all, those that a member sends in all
  Dtype dtype = Dtype::float32;
  std::uint32_t root = 0;  ///< position in the group of a broadcast's or reduce's root; otherwise 0

  friend bool operator==(const Call&, const Call&) = default;
};

/// A step of a program. It begins when the node before it on its stream is done, all nodes in
/// `after` are done, and `lag` has passed since the last of those; without any, since the iteration
/// began.
struct Node {
  std::variant<Compute, Call> what;
  std::uint32_t stream = 0;               ///< a stream's nodes run one at a time, in order
  std::vector<std::uint32_t> after = {};  ///< earlier nodes of this program: so there are no cycles
  Seconds lag{};                          ///< finite, not below 0
  std::string name = {};                  ///< name for people; may be empty
};

/// The nodes that a rank runs once in each iteration.
struct Program {
  std::string name;
  std::vector<Node> nodes = {};
};

/// Ranks that act together. A send goes from the first to the second of a group of two.
struct NamedGroup {
  std::string name;
  Group ranks = {};  ///< each once
};

/// The program of a rank, and the group behind each of the program's slots.
struct Part {
  std::uint32_t program = 0;
  std::vector<std::uint32_t> groups;  ///< by slot, all different, with this rank in each

  /// The slot of a group, given by its number in the job; groups.size() if the rank has none for
  /// it.
  [[nodiscard]] std::size_t slot_of(std::uint32_t group) const {
    return static_cast<std::size_t>(std::ranges::find(groups, group) - groups.begin());
  }
};

/// Programs, and the part of each rank: thousands of ranks share a few programs.
struct Job {
  std::string name = {};
  std::vector<Program> programs = {};
  std::vector<Part> ranks = {};  ///< by rank
  std::vector<NamedGroup> groups = {};
};

/// The number of nodes that all ranks run in an iteration.
[[nodiscard]] std::size_t nodes_of(const Job& job);

/// The call in words: "all-reduce of 1000 float32 elements", "broadcast of 5 byte elements from
/// place 2".
[[nodiscard]] std::string describe(const Call& call);
/// The node in words: "node 3" or "node 3 (backward)".
[[nodiscard]] std::string describe(const Program& program, std::size_t node);

}  // namespace gradwire::jobs
