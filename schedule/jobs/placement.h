#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/id.h"

/// Which hosts of a fabric run which ranks of which job.
namespace gradwire::jobs {

/// The free hosts with the lowest numbers, which most wirings have next to each other.
struct Compact {};
/// Every so many-th of the free hosts, so that ranks lie as far from each other as that allows.
struct Spread {};
/// Any of the free hosts, in any order, decided by the seed.
struct Shuffled {
  std::uint32_t seed = 0;
};
/// These hosts, by rank.
using Named = std::vector<Rank>;

/// Where a job is to run.
using Placement = std::variant<Compact, Spread, Shuffled, Named>;

/// How many hosts a job needs, and which.
struct Wish {
  std::size_t ranks = 0;
  Placement placement = {};
};

/// The hosts of every job, by rank; no host runs two ranks. Jobs with named hosts have theirs first,
/// the others follow in their order. The same wishes get the same hosts on every machine. Throws
/// InputError, without a place, for a host that is named twice or is none, for as many named hosts as
/// the job has not, and when there are too few.
[[nodiscard]] std::vector<std::vector<Rank>> place(std::size_t hosts, std::span<const Wish> wishes);

}  // namespace gradwire::jobs
