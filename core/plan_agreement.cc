#include "core/plan_agreement.h"

#include <algorithm>
#include <map>

#include "core/hasher.h"

namespace gradwire {
namespace {

/// A transfer, as both of its ends know it.
struct Transfer {
  Rank from;
  Port via;
  Rank to;
  Port at;
  std::size_t lane;
  std::size_t step;
  Extent extent;
};

std::uint64_t digest(const Transfer& transfer) {
  Hasher hasher;
  hasher.mix(transfer.from.value);
  hasher.mix(transfer.via.value);
  hasher.mix(transfer.to.value);
  hasher.mix(transfer.at.value);
  hasher.mix(transfer.lane);
  hasher.mix(transfer.step);
  hasher.mix(transfer.extent.first);
  hasher.mix(transfer.extent.count);
  // FNV's lowest bits depend on the lowest bits of what goes in alone, and sums keep that.
  std::uint64_t bits = hasher.value();
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53;
  return bits ^ (bits >> 33);
}

/// What a rank does not mention it neither sends nor receives.
PeerDigest digest_of(std::span<const PeerDigest> digests, Rank peer) {
  const auto found = std::ranges::lower_bound(digests, peer, {}, &PeerDigest::peer);
  return found != digests.end() && found->peer == peer ? *found : PeerDigest{.peer = peer};
}

}  // namespace

std::vector<PeerDigest> peer_digests(const Plan& plan, Rank self) {
  std::map<Rank, PeerDigest> peers;
  const auto of = [&peers](Rank peer) -> PeerDigest& {
    return peers.try_emplace(peer, PeerDigest{.peer = peer}).first->second;
  };
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    for (std::size_t step = 0; step < plan.lanes[lane].size(); ++step) {
      for (const auto& [to, what] : plan.lanes[lane][step].sends) {
        of(to.rank).sent += digest({self, to.via, to.rank, to.at, lane, step, what});
      }
      for (const auto& [from, where, how] : plan.lanes[lane][step].recvs) {
        of(from.rank).received += digest({from.rank, from.at, self, from.via, lane, step, where});
      }
    }
  }
  std::vector<PeerDigest> digests;
  for (const auto& [peer, digest] : peers) digests.push_back(digest);
  return digests;
}

std::uint64_t balance(const Plan& plan, Rank self) {
  std::uint64_t sum = 0;
  for (const PeerDigest& peer : peer_digests(plan, self)) sum += peer.sent - peer.received;
  return sum;
}

std::optional<Rank> odd_rank(std::span<const std::vector<PeerDigest>> digests) {
  std::vector<std::size_t> disagreements(digests.size());
  for (std::size_t a = 0; a < digests.size(); ++a) {
    for (std::size_t b = a + 1; b < digests.size(); ++b) {
      const PeerDigest of_b = digest_of(digests[a], Rank(b));
      const PeerDigest of_a = digest_of(digests[b], Rank(a));
      if (of_b.sent == of_a.received && of_b.received == of_a.sent) continue;
      ++disagreements[a];
      ++disagreements[b];
    }
  }
  const auto most = std::ranges::max_element(disagreements);
  if (most == disagreements.end() || *most == 0) return std::nullopt;
  return Rank(static_cast<std::size_t>(most - disagreements.begin()));
}

}  // namespace gradwire
