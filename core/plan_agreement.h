#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/plan.h"

/// Whether the Plans that ranks have made for themselves belong together: every send meets a
/// receive of the same extent, in the same step of the same lane, through the same ports. Found out
/// from a few numbers of each rank, without its Plan.
namespace gradwire {

/// A number that adds up to 0, modulo 2^64, over all ranks whose Plans belong together. For others
/// it does so once in 2^64 times.
[[nodiscard]] std::uint64_t balance(const Plan& plan, Rank self);

/// What a rank's Plan says of its transfers with one peer, as a sum of hashes.
struct PeerDigest {
  Rank peer;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  friend bool operator==(const PeerDigest&, const PeerDigest&) = default;
};

/// Of every peer, by rank.
[[nodiscard]] std::vector<PeerDigest> peer_digests(const Plan& plan, Rank self);

/// The rank whose Plan disagrees with those of most others, the first of several; nothing when all
/// agree. `digests` is by rank.
[[nodiscard]] std::optional<Rank> odd_rank(std::span<const std::vector<PeerDigest>> digests);

}  // namespace gradwire
