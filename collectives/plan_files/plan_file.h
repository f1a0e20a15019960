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

/// Algorithms that come from files: a file's contents, and the goal and the Plans that follow from
/// them for any number of elements.
namespace gradwire::plan_files {

// As results/schema/plan.schema.json has them.
inline constexpr std::size_t kMostChunks = 1'000'000;
inline constexpr std::size_t kMostLanes = 64;
inline constexpr std::size_t kLongestName = 200;

/// Chunks that one member sends to another, as one message.
struct Transfer {
  Rank from;
  Rank to;
  std::size_t chunk = 0;  ///< the first one
  std::size_t count = 1;  ///< number of chunks, side by side
  Combine how = Combine::replace;
  std::optional<Port> at = {};    ///< port of the receiver; by default the wiring's route decides
  text::TextPosition place = {};  ///< place in the file
};

/// Transfers that may overlap in time.
using FileStep = std::vector<Transfer>;
/// Steps in order.
using FileLane = std::vector<FileStep>;

/// The contents of a plan file (results/schema/plan.schema.json has every key), or of an algorithm
/// in another form (msccl.h). All numbers of ranks are below `members`, and all of chunks below
/// `chunks`.
struct PlanFile {
  std::string file;                ///< name in messages
  std::string name;                ///< name for people
  std::string collective;          ///< "all-reduce", ...: the first column of docs/collectives.md
  std::size_t members = 0;         ///< number of ranks
  std::size_t chunks = 0;          ///< number of chunks that the elements are cut into
  Rank root;                       ///< root of a broadcast or reduce; receiver of a send
  std::vector<Rank> owners = {};   ///< owner of each chunk in a reduce-scatter or all-gather
  std::vector<Rank> servers = {};  ///< ranks that begin and end with nothing in an all-reduce
  Stepping stepping = Stepping::overlapped;
  std::vector<FileLane> lanes = {};
};

/// The elements of chunks [first, first + count), when there are `elements` in all. Elements count
/// as in core/goal.h; for an all-to-all, they are those that one rank sends. Requires chunks of the
/// file.
class ChunkBounds {
 public:
  ChunkBounds(const PlanFile& file, std::size_t elements);

  [[nodiscard]] Extent extent(std::size_t first, std::size_t count) const {
    return {bounds_[first], bounds_[first + count] - bounds_[first]};
  }

 private:
  std::vector<std::size_t> bounds_;  ///< begin of each chunk, and the end
};

/// The goal of the file's algorithm for so many elements. Throws InputError when the wiring has
/// another number of hosts.
[[nodiscard]] Goal goal_of(const PlanFile& file, const topologies::Topology& topology,
                           std::size_t elements);

/// Refuses, by name, a file whose Plans would exhaust the machine's memory when so many are made,
/// or whose proof would. Throws InputError.
void check_size(const PlanFile& file, std::size_t plans);

/// The Plans of all ranks, made at once. Transfers whose chunks are empty with so few elements are
/// left out. Throws InputError like goal_of(), and with the transfer's place when a host lacks the
/// port that it names.
[[nodiscard]] std::vector<Plan> plans_of(const PlanFile& file, const topologies::Topology& topology,
                                         std::size_t elements);
/// The Plan of one rank. Throws like plans_of().
[[nodiscard]] Plan plan_of(const PlanFile& file, const topologies::Topology& topology, Rank rank,
                           std::size_t elements);

}  // namespace gradwire::plan_files
