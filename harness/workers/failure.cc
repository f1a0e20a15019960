#include "harness/workers/failure.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gradwire::workers {
namespace {

using nlohmann::json;

constexpr std::string_view kExitedInOrder = "exited with 0";

template <class Number>
json number_or_null(const std::optional<Number>& number) {
  if (!number) return nullptr;
  if constexpr (std::is_same_v<Number, std::size_t>) {
    return *number;
  } else {
    return number->value;
  }
}

template <class Number>
std::optional<Number> number_from(const json& number) {
  if (number.is_null()) return std::nullopt;
  return Number(number.get<std::size_t>());
}

/// What the other ranks noticed, for the end of the message.
std::string noticed(std::span<const RankEnd> ends, Rank culprit) {
  for (const RankEnd& end : ends) {
    if (end.failure && end.failure->place.peer == culprit) {
      return "; noticed first by " + end.failure->message;
    }
  }
  return "";
}

/// Where the fabric broke, seen from whoever noticed that `culprit` was gone.
FabricPlace place_of(std::span<const RankEnd> ends, Rank culprit) {
  for (const RankEnd& end : ends) {
    if (end.failure && end.failure->place.peer == culprit) return end.failure->place;
  }
  return {.rank = culprit};
}

FabricError gone(std::span<const RankEnd> ends, const RankEnd& culprit) {
  return {FabricFailure::peer_closed, place_of(ends, culprit.rank),
          fmt::format("rank {} {}{}", culprit.rank.index(), culprit.ending,
                      noticed(ends, culprit.rank))};
}

/// Who has seen the fault itself. Everybody else only notices that somebody is silent.
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

/// Who died without a word; who was killed comes before who left in order.
std::optional<FabricError> who_died(std::span<const RankEnd> ends) {
  for (const bool in_order : {false, true}) {
    for (const RankEnd& end : ends) {
      if (end.ending.empty() || end.failure || end.with_others) continue;
      if ((end.ending == kExitedInOrder) == in_order) return gone(ends, end);
    }
  }
  return std::nullopt;
}

/// Who is waited for and says nothing.
std::optional<FabricError> who_is_silent(std::span<const RankEnd> ends) {
  for (const RankEnd& end : ends) {
    if (!end.failure || !end.failure->place.peer) continue;
    if (end.failure->fabric == FabricFailure::cancelled) continue;
    const Rank suspect = *end.failure->place.peer;
    const bool complains = std::ranges::any_of(ends, [suspect](const RankEnd& other) {
      return other.rank == suspect && other.failure &&
             other.failure->fabric != FabricFailure::cancelled;
    });
    if (complains) continue;
    return FabricError{*end.failure->fabric, end.failure->place,
                       fmt::format("rank {} is silent; noticed first by {}", suspect.index(),
                                   end.failure->message)};
  }
  return std::nullopt;
}

/// Who complained first; who was only told to stop knows the least.
std::optional<FabricError> who_complained(std::span<const RankEnd> ends) {
  for (const bool cancelled : {false, true}) {
    for (const RankEnd& end : ends) {
      if (!end.failure || !end.failure->fabric) continue;
      if ((end.failure->fabric == FabricFailure::cancelled) != cancelled) continue;
      return FabricError{*end.failure->fabric, end.failure->place, end.failure->message};
    }
    for (const RankEnd& end : ends) {
      if (end.with_others) return FabricError{FabricFailure::refused, {}, end.ending};
    }
  }
  return std::nullopt;
}

}  // namespace

Failure describe_failure(const std::exception& error) {
  if (const auto* fabric = dynamic_cast<const FabricError*>(&error)) {
    return {.message = error.what(),
            .detail = fabric->detail(),
            .fabric = fabric->failure(),
            .place = fabric->place()};
  }
  return {.message = error.what()};
}

json to_json(const Failure& failure) {
  const FabricPlace& place = failure.place;
  return {{"message", failure.message},
          {"detail", failure.detail},
          {"fabric", failure.fabric ? json(static_cast<int>(*failure.fabric)) : json(nullptr)},
          {"rank", number_or_null(place.rank)},
          {"peer", number_or_null(place.peer)},
          {"port", number_or_null(place.port)},
          {"lane", number_or_null(place.lane)},
          {"step", number_or_null(place.step)}};
}

Failure failure_from_json(const nlohmann::json& source) try {
  Failure failure{.message = source.at("message"),
                  .detail = source.at("detail"),
                  .place = {.rank = number_from<Rank>(source.at("rank")),
                            .peer = number_from<Rank>(source.at("peer")),
                            .port = number_from<Port>(source.at("port")),
                            .lane = number_from<std::size_t>(source.at("lane")),
                            .step = number_from<std::size_t>(source.at("step"))}};
  if (!source.at("fabric").is_null()) {
    failure.fabric = static_cast<FabricFailure>(source.at("fabric").get<int>());
  }
  return failure;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("failure: ") + error.what());
}

FabricError find_culprit(std::span<const RankEnd> ends) {
  for (const RankEnd& end : ends) {
    if (end.host_lost) return gone(ends, end);
  }
  for (const FabricFailure fault : {FabricFailure::link_down, FabricFailure::corrupted}) {
    if (const auto seen = who_has_seen(ends, fault)) return *seen;
  }
  if (const auto died = who_died(ends)) return *died;
  for (const RankEnd& end : ends) {  // a reason of its own
    if (!end.failure || end.failure->fabric) continue;
    return {FabricFailure::refused, {.rank = end.rank}, end.failure->message};
  }
  if (const auto silent = who_is_silent(ends)) return *silent;
  if (const auto complained = who_complained(ends)) return *complained;
  throw InternalError("a run that failed has a failure");
}

}  // namespace gradwire::workers
