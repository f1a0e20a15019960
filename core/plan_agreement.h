#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/fields.h"
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

  static constexpr auto kFields =
      row(field("peer", &PeerDigest::peer), field("sent", &PeerDigest::sent),
          field("received", &PeerDigest::received));
};

/// What a rank tells the others of its Plan once these do not belong together.
struct PlanDigest {
  std::size_t end = 0;            ///< one more than the last element that a transfer carries
  std::vector<PeerDigest> peers;  ///< of every peer, by rank

  static constexpr auto kFields =
      fields(field("end", &PlanDigest::end), field("peers", &PlanDigest::peers));
};
[[nodiscard]] PlanDigest digest_of(const Plan& plan, Rank self);

/// The rank whose Plan disagrees with those of most others; nothing when all agree. When two
/// disagree with each other alone, the one whose gradient is longer or shorter than that of most,
/// else the first. `digests` is by rank.
[[nodiscard]] std::optional<Rank> odd_rank(std::span<const PlanDigest> digests);

}  // namespace gradwire
