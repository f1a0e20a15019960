#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::jobs {

/// Calls of one group that may use the same connections, one after the other: they are the same
/// collective of the same type with the same root, and stand on the same stream of each member. A
/// stream runs one node at a time, so no two of them are under way at once on any rank, and all members
/// come to them in one order. Calls of a group on other streams are under way beside them, and belong
/// to other channels.
struct Channel {
  std::uint32_t group = 0;          ///< its number in the job
  Call call;                        ///< what they call; its slot and its elements are 0
  std::vector<std::size_t> sizes;   ///< the elements of these calls, each number once
  std::vector<std::size_t> counts;  ///< how many calls of an iteration have each size
  std::size_t round = 0;            ///< channels of one round share no rank
};

/// Where a call belongs.
struct ChannelCall {
  std::uint32_t channel = 0;
  std::uint32_t size = 0;    ///< its elements, as a place in `sizes`
  std::uint32_t number = 0;  ///< how many calls of the channel stand before it in an iteration
};

/// All channels of a job.
struct Channels {
  std::vector<Channel> all;
  std::vector<std::vector<ChannelCall>> calls;  ///< by group, and the ordinal of a call in it
  std::size_t rounds = 0;                       ///< the rounds of `all` are below this
};

/// The channels of a job, the same wherever they are asked for. `graphs` are the job's. Requires a job
/// of which check() finds nothing wrong. Takes time and memory in proportion to the calls of all
/// members.
[[nodiscard]] Channels channels_of(const Job& job, std::span<const ProgramGraph> graphs);

/// The call that a rank makes in a node, which must be one.
[[nodiscard]] const ChannelCall& call_in(const Job& job, std::span<const ProgramGraph> graphs,
                                         const Channels& channels, Rank rank, std::size_t node);

}  // namespace gradwire::jobs
