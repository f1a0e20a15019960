#include "harness/workers/rank/plan_agreement.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/plan_agreement.h"
#include "core/to_number.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

std::string to_text(const std::vector<PeerDigest>& digests) {
  json all = json::array();
  for (const PeerDigest& digest : digests) {
    all.push_back({digest.peer.value, digest.sent, digest.received});
  }
  return all.dump();
}

std::vector<PeerDigest> from_text(const std::string& text) {
  std::vector<PeerDigest> digests;
  for (const json& digest : json::parse(text)) {
    digests.push_back({.peer = Rank(digest.at(0).get<std::size_t>()),
                       .sent = digest.at(1),
                       .received = digest.at(2)});
  }
  return digests;
}

}  // namespace

void require_agreement(const Plan& plan, Rank self, transport::Rendezvous& rendezvous) {
  std::uint64_t sum = 0;
  for (const std::string& mine : rendezvous.all_gather(fmt::to_string(balance(plan, self)))) {
    const auto number = to_number<std::uint64_t>(mine);
    ensure(number.has_value(), "every rank tells the balance of its Plan");
    sum += *number;
  }
  if (sum == 0) return;
  std::vector<std::vector<PeerDigest>> all;
  for (const std::string& one : rendezvous.all_gather(to_text(peer_digests(plan, self)))) {
    all.push_back(from_text(one));
  }
  const std::optional<Rank> odd = odd_rank(all);
  ensure(odd.has_value(), "Plans whose balance is not 0 differ for some pair of ranks");
  throw FabricError(FabricFailure::refused, {.rank = odd},
                    "its Plan does not fit those of the others: is its program another?");
}

}  // namespace gradwire::workers
