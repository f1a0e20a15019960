#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::jobs {

/// Calls of one group that may use the same connections, one after the other: they are the same
/// collective of the same type with the same root, and are on the same stream of each member. A
/// stream runs one node at a time, so no two of them are under way at once on any rank, and all
/// members come to them in one order. Calls of a group on other streams are under way beside them,
/// and belong to other channels.
struct Channel {
  std::uint32_t group = 0;  ///< its number in the job
  Call call;                ///< the calls' common properties; its slot and its elements are 0
  std::vector<std::size_t> sizes;   ///< the elements of these calls, each number once
  std::vector<std::size_t> counts;  ///< calls of each size in an iteration
  std::size_t round = 0;            ///< channels of one round share no rank
};

/// The place of a call: its channel, and its number there.
struct ChannelCall {
  std::uint32_t channel = 0;
  std::uint32_t size = 0;    ///< index of its elements in `sizes`
  std::uint32_t number = 0;  ///< calls of the channel before it in an iteration
};

/// All channels of a job.
struct Channels {
  std::vector<Channel> all;
  std::vector<std::vector<ChannelCall>> calls;  ///< by group, and by the ordinal of a call in it
  std::size_t rounds = 0;                       ///< number of rounds of `all`
};

/// The channels of a job, the same on every rank. `graphs` are the job's. Requires a job in which
/// check() finds nothing wrong. Takes time and memory in proportion to the calls of all members.
[[nodiscard]] Channels channels_of(const Job& job, std::span<const ProgramGraph> graphs);

/// The call that a rank makes in a node, which must be one.
[[nodiscard]] const ChannelCall& call_in(const Job& job, std::span<const ProgramGraph> graphs,
                                         const Channels& channels, Rank rank, std::size_t node);

}  // namespace gradwire::jobs
