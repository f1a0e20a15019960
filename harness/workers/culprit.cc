#include "harness/workers/culprit.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "harness/workers/link_failure.h"

namespace gradwire::workers {
namespace {

constexpr std::string_view kExitedInOrder = "exited with 0";
constexpr std::string_view kWasKilled = "was killed";

/// A rank that is to blame, and why: "was killed by signal 9 (Killed)".
struct Culprit {
  Rank rank;
  std::string why;
};

bool is_among(std::span<const Culprit> culprits, Rank rank) {
  return std::ranges::find(culprits, rank, &Culprit::rank) != culprits.end();
}

/// The first complaint of another rank about one of the culprits.
const Failure* complaint_about(std::span<const RankEnd> ends, std::span<const Culprit> culprits) {
  for (const RankEnd& end : ends) {
    if (!end.failure || !end.failure->place.peer || is_among(culprits, end.rank)) continue;
    if (is_among(culprits, *end.failure->place.peer)) return &*end.failure;
  }
  return nullptr;
}

/// "rank 2 was killed", "rank 0, 1 and 3 were killed".
std::string phrase(std::span<const Rank> ranks, std::string why) {
  std::string text = fmt::format("rank {}", ranks.front().index());
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    text += fmt::format("{}{}", i + 1 < ranks.size() ? ", " : " and ", ranks[i].index());
  }
  if (ranks.size() > 1) {
    for (const auto& [one, many] : {std::pair("was ", "were "), std::pair("stands ", "stand ")}) {
      if (why.starts_with(one)) why.replace(0, std::string_view(one).size(), many);
    }
  }
  return fmt::format("{} {}", text, why);
}

/// Phrases on culprits, one for those with the same reason.
std::string described(std::span<const Culprit> culprits) {
  std::vector<std::string> phrases;
  std::vector<std::string> told;
  for (const Culprit& culprit : culprits) {
    if (std::ranges::find(told, culprit.why) != told.end()) continue;
    std::vector<Rank> ranks;
    for (const Culprit& other : culprits) {
      if (other.why == culprit.why) ranks.push_back(other.rank);
    }
    told.push_back(culprit.why);
    phrases.push_back(phrase(ranks, culprit.why));
  }
  return fmt::format("{}", fmt::join(phrases, "; "));
}

/// One incident, whoever took part in it: at the place where another rank noticed it first.
FabricError incident(FabricFailure failure, std::span<const RankEnd> ends,
                     std::span<const Culprit> culprits) {
  const Failure* const complaint = complaint_about(ends, culprits);
  const FabricPlace place =
      complaint == nullptr ? FabricPlace{.rank = culprits.front().rank} : complaint->place;
  return {failure, place,
          described(culprits) +
              (complaint == nullptr ? "" : "; noticed first by " + complaint->message)};
}

/// Error of whoever has seen the fault itself. Everybody else only notices that somebody is silent.
std::optional<FabricError> who_has_seen(std::span<const RankEnd> ends, FabricFailure fault) {
  std::optional<Failure> first;
  std::string others;
  for (const RankEnd& end : ends) {
    if (!end.failure || end.failure->fabric != fault) continue;
    if (!first) {
      first = end.failure;
    } else {
      others += fmt::format("; the same at {}", to_string(end.failure->place));
    }
  }
  if (!first) return std::nullopt;
  return FabricError{fault, first->place, first->detail + others};
}

/// Whether a rank died without a word, or was killed after it had complained of another. Those that
/// were asked to leave may have been killed for being slow.
bool died(const RankEnd& end) {
  if (end.ending.empty() || end.with_others) return false;
  if (!end.failure) return true;
  return !end.asked && end.failure->fabric && end.ending.starts_with(kWasKilled);
}

/// Blames whoever died; who was killed comes before who left in order. Leaving is in order once all
/// were asked.
std::optional<FabricError> who_died(std::span<const RankEnd> ends) {
  for (const bool in_order : {false, true}) {
    std::vector<Culprit> culprits;
    for (const RankEnd& end : ends) {
      if (!died(end) || (end.ending == kExitedInOrder) != in_order) continue;
      if (in_order && end.asked) continue;
      culprits.push_back({end.rank, end.ending});
    }
    if (!culprits.empty()) return incident(FabricFailure::peer_closed, ends, culprits);
  }
  return std::nullopt;
}

/// Blames ranks whose process neither runs nor has ended.
std::optional<FabricError> who_stands_still(std::span<const RankEnd> ends) {
  std::vector<Culprit> culprits;
  for (const RankEnd& end : ends) {
    if (!end.standing.empty()) culprits.push_back({end.rank, end.standing});
  }
  if (culprits.empty()) return std::nullopt;
  return incident(FabricFailure::stalled, ends, culprits);
}

bool complains(const RankEnd& end) {
  return end.failure && end.failure->fabric != FabricFailure::cancelled;
}

std::size_t step_of(const RankEnd& end) {
  return end.failure->place.step.value_or(SIZE_MAX);
}

/// The end of the rank that a complaint is about; null when it is about none.
const RankEnd* suspect_of(std::span<const RankEnd> ends, const RankEnd& end) {
  const auto found = std::ranges::find_if(
      ends, [&](const RankEnd& other) { return end.failure->place.peer == other.rank; });
  return found == ends.end() ? nullptr : &*found;
}

/// Blames the rank that is waited for and says nothing. Of several it is the one that is waited for
/// in the earliest step: others may only be slow to complain.
std::optional<FabricError> who_is_silent(std::span<const RankEnd> ends) {
  const RankEnd* nearest = nullptr;
  for (const RankEnd& end : ends) {
    if (!end.failure || !end.failure->place.peer || !complains(end)) continue;
    const RankEnd* const suspect = suspect_of(ends, end);
    if (suspect != nullptr && complains(*suspect)) continue;
    if (nearest == nullptr || step_of(end) < step_of(*nearest)) nearest = &end;
  }
  if (nearest == nullptr) return std::nullopt;
  const Failure& failure = *nearest->failure;
  return FabricError{failure.fabric.value_or(FabricFailure::stalled), failure.place,
                     fmt::format("rank {} is silent; noticed first by {}",
                                 failure.place.peer->index(), failure.message)};
}

/// After how many complaints, each about who made the next, the last is about this rank again: 2 for
/// two that complain of each other; SIZE_MAX when it is none of a circle.
std::size_t circle_of(std::span<const RankEnd> ends, const RankEnd& end) {
  const RankEnd* one = &end;
  for (std::size_t length = 1; length <= ends.size(); ++length) {
    one = suspect_of(ends, *one);
    if (one == nullptr || !complains(*one)) return SIZE_MAX;
    if (one == &end) return length;
  }
  return SIZE_MAX;
}

/// The complaint that is nearest to the cause. Whoever loses a peer complains of it and ends, and so
/// its own peers lose it: the cause is where complaints go round in the smallest circle, most often
/// between the two ends of what broke. There it is that of the earliest step: those in later ones
/// wait for what could not be sent on. Of one step, whoever waited in vain comes before those who saw
/// a connection close, which comes of it.
const RankEnd* nearest_complaint(std::span<const RankEnd> ends, bool cancelled) {
  const RankEnd* nearest = nullptr;
  const auto distance = [ends](const RankEnd& end) {
    return std::tuple(circle_of(ends, end), step_of(end),
                      end.failure->fabric != FabricFailure::stalled);
  };
  for (const RankEnd& end : ends) {
    if (!end.failure || !end.failure->fabric) continue;
    if ((end.failure->fabric == FabricFailure::cancelled) != cancelled) continue;
    if (nearest == nullptr || distance(end) < distance(*nearest)) nearest = &end;
  }
  return nearest;
}

/// Error of whoever complained; who was only told to stop knows the least.
std::optional<FabricError> who_complained(std::span<const RankEnd> ends) {
  for (const bool cancelled : {false, true}) {
    if (const RankEnd* const end = nearest_complaint(ends, cancelled)) {
      return FabricError{*end->failure->fabric, end->failure->place, end->failure->detail};
    }
    for (const RankEnd& end : ends) {
      if (end.with_others) return FabricError{FabricFailure::refused, {}, end.ending};
    }
  }
  return std::nullopt;
}

}  // namespace

FabricError find_culprit(std::span<const RankEnd> ends) {
  for (const RankEnd& end : ends) {
    if (!end.host_lost) continue;
    const std::array lost{Culprit{end.rank, end.ending}};
    return incident(FabricFailure::peer_closed, ends, lost);
  }
  for (const FabricFailure fault : {FabricFailure::link_down, FabricFailure::corrupted}) {
    if (const auto seen = who_has_seen(ends, fault)) return *seen;
  }
  if (const auto died = who_died(ends)) return *died;
  for (const RankEnd& end : ends) {  // a reason of its own
    if (!end.failure || end.failure->fabric) continue;
    return {FabricFailure::refused, {.rank = end.rank}, end.failure->message};
  }
  if (const auto standing = who_stands_still(ends)) return *standing;
  if (const auto unheard = find_unheard(ends)) return *unheard;
  if (const auto silent = who_is_silent(ends)) return *silent;
  if (const auto complained = who_complained(ends)) return *complained;
  throw InternalError("a run that failed has a failure");
}

}  // namespace gradwire::workers
