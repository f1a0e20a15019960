#include "transport/execution/plan_agreement.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/plan_agreement.h"
#include "core/to_number.h"
#include "results/record/whole_number.h"

namespace gradwire::execution {
namespace {

using nlohmann::json;

std::string to_text(const PlanDigest& digest) {
  json peers = json::array();
  for (const PeerDigest& peer : digest.peers) {
    peers.push_back({peer.peer.value, peer.sent, peer.received});
  }
  return json{{"end", digest.end}, {"peers", std::move(peers)}}.dump();
}

PlanDigest from_text(const std::string& text) {
  const json told = json::parse(text);
  PlanDigest digest{.end = record::whole_number<std::size_t>(told.at("end"))};
  for (const json& peer : told.at("peers")) {
    digest.peers.push_back({.peer = Rank(record::whole_number<std::size_t>(peer.at(0))),
                            .sent = record::whole_number<std::uint64_t>(peer.at(1)),
                            .received = record::whole_number<std::uint64_t>(peer.at(2))});
  }
  return digest;
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
  std::vector<PlanDigest> all;
  for (const std::string& one : rendezvous.all_gather(to_text(digest_of(plan, self)))) {
    all.push_back(from_text(one));
  }
  const std::optional<Rank> odd = odd_rank(all);
  ensure(odd.has_value(), "Plans whose balance is not 0 differ for some pair of ranks");
  throw FabricError(FabricFailure::refused, {.rank = odd},
                    "its Plan does not fit those of the others: is its program another?");
}

}  // namespace gradwire::execution
