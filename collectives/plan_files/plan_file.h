#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/text_check.h"
#include "topologies/topology.h"

/// Algorithms that come from files: what a file says, and the goal and the Plans that follow from it
/// for any number of elements.
namespace gradwire::plan_files {

// As results/schema/plan.schema.json has them.
inline constexpr std::size_t kMostChunks = 1'000'000;
inline constexpr std::size_t kMostLanes = 64;
inline constexpr std::size_t kLongestName = 200;

/// Chunks that one member sends to another, as one message.
struct Transfer {
  Rank from;
  Rank to;
  std::size_t chunk = 0;  ///< the first
  std::size_t count = 1;  ///< how many, side by side
  Combine how = Combine::replace;
  std::optional<Port> at = {};    ///< the receiver's; without one the wiring's route decides
  text::TextPosition place = {};  ///< where the file says so
};

/// Transfers that may overlap in time.
using FileStep = std::vector<Transfer>;
/// Steps in order.
using FileLane = std::vector<FileStep>;

/// What a plan file says (results/schema/plan.schema.json has every key), or what is read out of an
/// algorithm in another form (msccl.h). All numbers of ranks are below `members`, and all of chunks
/// below `chunks`.
struct PlanFile {
  std::string file;                ///< as messages name it
  std::string name;                ///< for people
  std::string collective;          ///< "all-reduce", ...: the first column of docs/collectives.md
  std::size_t members = 0;         ///< ranks that take part
  std::size_t chunks = 0;          ///< that the elements are cut into
  Rank root;                       ///< of a broadcast or reduce; of a send, the receiver
  std::vector<Rank> owners = {};   ///< by chunk, of a reduce-scatter or all-gather
  std::vector<Rank> servers = {};  ///< of an all-reduce: ranks that begin and end with nothing
  Stepping stepping = Stepping::overlapped;
  std::vector<FileLane> lanes = {};
};

/// Which elements chunks [first, first + count) are, when there are `elements` in all. Elements
/// count as in core/goal.h; of an all-to-all, what one rank sends. Requires chunks of the file.
class ChunkBounds {
 public:
  ChunkBounds(const PlanFile& file, std::size_t elements);

  [[nodiscard]] Extent extent(std::size_t first, std::size_t count) const {
    return {bounds_[first], bounds_[first + count] - bounds_[first]};
  }

 private:
  std::vector<std::size_t> bounds_;  ///< where each chunk begins, and the end
};

/// What the file's algorithm is for, with as many elements. Throws InputError when the wiring has
/// another number of hosts.
[[nodiscard]] Goal goal_of(const PlanFile& file, const topologies::Topology& topology,
                           std::size_t elements);

/// Refuses, by name, a file whose Plans would take the machine's memory when so many are made, or
/// their proof. Throws InputError.
void check_size(const PlanFile& file, std::size_t plans);

/// All ranks' Plans, made at once. Transfers whose chunks are empty with so few elements are left
/// out. Throws InputError as goal_of, and with the transfer's place when a host lacks the port that it
/// names.
[[nodiscard]] std::vector<Plan> plans_of(const PlanFile& file, const topologies::Topology& topology,
                                         std::size_t elements);
/// One of them.
[[nodiscard]] Plan plan_of(const PlanFile& file, const topologies::Topology& topology, Rank rank,
                           std::size_t elements);

}  // namespace gradwire::plan_files
