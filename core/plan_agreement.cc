#include "core/plan_agreement.h"

#include <algorithm>
#include <map>

#include "core/hasher.h"

namespace gradwire {
namespace {

/// A transfer, in the terms of both its ends.
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

/// The digest of `peer`. Empty if the rank does not mention it: then it neither sends to it nor
/// receives from it.
PeerDigest of_peer(std::span<const PeerDigest> digests, Rank peer) {
  const auto found = std::ranges::lower_bound(digests, peer, {}, &PeerDigest::peer);
  return found != digests.end() && found->peer == peer ? *found : PeerDigest{.peer = peer};
}

/// The Plan's transfers with every peer, by rank, as digests.
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

/// The end (one more than the last element) that most Plans have.
std::size_t most_common_end(std::span<const PlanDigest> digests) {
  std::map<std::size_t, std::size_t> counts;
  for (const PlanDigest& digest : digests) ++counts[digest.end];
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

/// The number of other ranks that each rank disagrees with.
std::vector<std::size_t> count_disagreements(std::span<const PlanDigest> digests) {
  std::vector<std::size_t> disagreements(digests.size());
  for (std::size_t a = 0; a < digests.size(); ++a) {
    for (std::size_t b = a + 1; b < digests.size(); ++b) {
      const PeerDigest of_b = of_peer(digests[a].peers, Rank(b));
      const PeerDigest of_a = of_peer(digests[b].peers, Rank(a));
      if (of_b.sent == of_a.received && of_b.received == of_a.sent) continue;
      ++disagreements[a];
      ++disagreements[b];
    }
  }
  return disagreements;
}

}  // namespace

std::uint64_t balance(const Plan& plan, Rank self) {
  std::uint64_t sum = 0;
  for (const PeerDigest& peer : peer_digests(plan, self)) sum += peer.sent - peer.received;
  return sum;
}

PlanDigest digest_of(const Plan& plan, Rank self) {
  PlanDigest digest{.peers = peer_digests(plan, self)};
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) {
      for (const Send& send : step.sends) digest.end = std::max(digest.end, send.what.end());
      for (const Recv& recv : step.recvs) digest.end = std::max(digest.end, recv.where.end());
    }
  }
  return digest;
}

std::optional<Rank> odd_rank(std::span<const PlanDigest> digests) {
  const std::vector<std::size_t> disagreements = count_disagreements(digests);
  const auto most = std::ranges::max_element(disagreements);
  if (most == disagreements.end() || *most == 0) return std::nullopt;
  const std::size_t end = most_common_end(digests);
  for (std::size_t i = 0; i < digests.size(); ++i) {
    if (disagreements[i] == *most && digests[i].end != end) return Rank(i);
  }
  return Rank(static_cast<std::size_t>(most - disagreements.begin()));
}

}  // namespace gradwire
