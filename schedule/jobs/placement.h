#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/id.h"

/// The placement of jobs: which host runs which rank of which job.
namespace gradwire::jobs {

/// Takes the free hosts with the lowest numbers, which are neighbours in most wirings.
struct Compact {};
/// Takes every so many-th of the free hosts, so that ranks are as far from each other as that
/// allows.
struct Spread {};
/// Takes any of the free hosts, in any order, decided by the seed.
struct Shuffled {
  std::uint32_t seed = 0;
};
/// Takes these hosts, by rank.
using Named = std::vector<Rank>;

/// The rule by which a job gets its hosts.
using Placement = std::variant<Compact, Spread, Shuffled, Named>;

/// The number of hosts that a job needs, and the rule by which it gets them.
struct Wish {
  std::size_t ranks = 0;
  Placement placement = {};
};

/// The hosts of every job, by rank; no host runs two ranks. Jobs with named hosts are placed first,
/// the others follow in their order. The same wishes get the same hosts on every machine. Throws
/// InputError, without a place, for a host that is named twice or does not exist, for a number of
/// named hosts that is not the job's, and if there are too few hosts.
[[nodiscard]] std::vector<std::vector<Rank>> place(std::size_t hosts, std::span<const Wish> wishes);

}  // namespace gradwire::jobs
