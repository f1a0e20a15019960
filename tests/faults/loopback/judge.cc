#include "tests/faults/loopback/judge.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradwire::faults {
namespace {

using namespace std::chrono_literals;

std::string verdict_of(const Outcome& outcome) {
  if (outcome.verdict) return outcome.verdict->what();
  return outcome.completed ? "it completed" : "it ended without a verdict";
}

/// Whether the message begins with one of the culprits, and the place is about one, too.
bool names_rank(const Scenario& scenario, const Outcome& outcome) {
  if (!outcome.verdict) return false;
  const FabricPlace& place = outcome.verdict->place();
  const std::optional<Rank> accused = place.peer ? place.peer : place.rank;
  const auto begins_with = [&](Rank rank) {
    const std::string words = fmt::format("rank {}", rank.index());
    const std::string& said = outcome.verdict->detail();
    return said.starts_with(words + ' ') || said.starts_with(words + ',');
  };
  return accused && std::ranges::find(scenario.culprits, *accused) != scenario.culprits.end() &&
         std::ranges::any_of(scenario.culprits, begins_with);
}

bool names_all(const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::size_t> ranks;
  for (const Rank rank : scenario.culprits) ranks.push_back(rank.index());
  const std::string list = fmt::format("rank {} did not come", fmt::join(ranks, ", "));
  return names_rank(scenario, outcome) &&
         outcome.verdict->detail().find(list) != std::string::npos && outcome.time &&
         *outcome.time <= scenario.meeting + 1s;
}

/// Whether rank, peer and port are those of one end of the connection. Of a damaged frame it must be
/// the end that it came to, and the lane. When a connection breaks, the two ranks lose those of their
/// other lanes over the same link at the same moment, and may name one of these.
bool names_link(const Scenario& scenario, const Outcome& outcome) {
  if (!outcome.verdict) return false;
  const bool is_stream = scenario.stream.has_value();
  const Rank caller = is_stream ? scenario.stream->caller : scenario.visit->claimed;
  const auto& channel = is_stream ? scenario.stream->channel : scenario.visit->channel;
  const Peer& peer = channel.peer;
  const FabricPlace& said = outcome.verdict->place();
  const auto is_at = [&said](Rank rank, Rank other, Port port) {
    return said.rank == rank && said.peer == other && said.port == port;
  };
  const bool at_caller = is_at(caller, peer.rank, peer.via);
  const bool at_acceptor = is_at(peer.rank, caller, peer.at);
  if (outcome.verdict->failure() == FabricFailure::corrupted && is_stream) {
    return said.lane == channel.lane && (scenario.stream->to_caller ? at_caller : at_acceptor);
  }
  return at_caller || at_acceptor;
}

bool names_odd(const Scenario& scenario, const Outcome& outcome) {
  return outcome.verdict && outcome.verdict->failure() == FabricFailure::refused &&
         outcome.verdict->place() == FabricPlace{.rank = scenario.odd_plan->rank};
}

/// Whether verification has counted what is wrong, each time.
bool counts(const Outcome& outcome) {
  return std::ranges::all_of(outcome.checks,
                             [](const SumCheck& check) { return check.counted == check.really; });
}

bool counts_poison(const Scenario& scenario, const Outcome& outcome) {
  std::size_t found = 0;
  for (const SumCheck& check : outcome.checks) {
    if (check.counted == 0) continue;
    if (check.counted != 1 || check.first != scenario.poison->element) return false;
    ++found;
  }
  return found == scenario.contributors.size();
}

bool claim_was_refused(const Scenario& scenario, const Outcome& outcome) {
  const auto& visit = scenario.visit;
  if (!visit || visit->who == Visit::Who::strangers || visit->who == Visit::Who::crowd) return true;
  if (visit->who == Visit::Who::first_claim) return outcome.claim.empty();
  if (visit->who == Visit::Who::odd_claim) return outcome.claim == "the peer has no such channel";
  return !outcome.claim.empty();
}

bool is_right(const Scenario& scenario, const Outcome& outcome) {
  const bool completed = outcome.completed && !outcome.verdict && !outcome.hung;
  const bool all_sums =
      std::ranges::all_of(outcome.checks, [](const SumCheck& check) { return check.counted == 0; });
  switch (scenario.must) {
    case Must::complete:
      return completed && all_sums && claim_was_refused(scenario, outcome);
    case Must::name_rank:
      return names_rank(scenario, outcome);
    case Must::name_all:
      return names_all(scenario, outcome);
    case Must::name_link:
      return names_link(scenario, outcome) && claim_was_refused(scenario, outcome);
    case Must::name_odd:
      return names_odd(scenario, outcome);
    case Must::count_wrong:
      return completed && counts(outcome) && (!scenario.poison || counts_poison(scenario, outcome));
  }
  return false;
}

}  // namespace

Judgement judge(const Scenario& scenario, const Outcome& outcome) {
  Judgement judgement;
  judgement.accepts_wrong = std::ranges::any_of(
      outcome.checks, [](const SumCheck& check) { return check.really > check.counted; });
  if (outcome.hung) {
    judgement.wrong_in = "it hung; " + verdict_of(outcome);
  } else if (judgement.accepts_wrong) {
    judgement.wrong_in = "a wrong sum was accepted; " + verdict_of(outcome);
  } else if (!is_right(scenario, outcome)) {
    judgement.wrong_in = verdict_of(outcome);
    std::size_t counted = 0;
    for (const SumCheck& check : outcome.checks) counted += check.counted;
    if (counted > 0) judgement.wrong_in += fmt::format("; {} sums are wrong", counted);
    if (scenario.visit) judgement.wrong_in += fmt::format("; claim: '{}'", outcome.claim);
  }
  return judgement;
}

}  // namespace gradwire::faults
