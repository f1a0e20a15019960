#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/fields.h"
#include "core/plan.h"

/// Checks whether the Plans that ranks have made for themselves belong together: every send meets a
/// receive of the same extent, in the same step of the same lane, through the same ports. A few
/// numbers of each rank suffice; no Plan is exchanged.
namespace gradwire {

/// A number that adds up to 0, modulo 2^64, over all ranks whose Plans belong together. For other
/// Plans it adds up to 0 once in 2^64 times.
[[nodiscard]] std::uint64_t balance(const Plan& plan, Rank self);

/// The transfers of a rank's Plan with one peer, as a sum of hashes.
struct PeerDigest {
  Rank peer;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  friend bool operator==(const PeerDigest&, const PeerDigest&) = default;

  static constexpr auto kFields =
      row(field("peer", &PeerDigest::peer), field("sent", &PeerDigest::sent),
          field("received", &PeerDigest::received));
};

/// The digest of a rank's Plan, which it tells the others once the Plans do not belong together.
struct PlanDigest {
  std::size_t end = 0;            ///< one more than the last element that a transfer carries
  std::vector<PeerDigest> peers;  ///< one for every peer, by rank

  static constexpr auto kFields =
      fields(field("end", &PlanDigest::end), field("peers", &PlanDigest::peers));
};
[[nodiscard]] PlanDigest digest_of(const Plan& plan, Rank self);

/// The rank whose Plan disagrees with most others; nothing if all agree. If only two disagree, with
/// each other, it is the one whose gradient is longer or shorter than most, else the first.
/// `digests` is by rank.
[[nodiscard]] std::optional<Rank> odd_rank(std::span<const PlanDigest> digests);

}  // namespace gradwire
