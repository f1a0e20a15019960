#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/error.h"

/// From what several ranks complain about to the one that is to blame.
namespace gradwire::workers {

/// What ended a worker, as it says itself.
struct Failure {
  std::string message;
  std::string detail = {};  ///< of a failure of the fabric: the message without its place
  std::optional<FabricFailure> fabric;  ///< absent: not the fabric's fault
  FabricPlace place;
  std::vector<Port> down = {};  ///< all ports of the rank that are, when one's link is down
};

[[nodiscard]] Failure describe_failure(const std::exception& error);
[[nodiscard]] nlohmann::json to_json(const Failure& failure);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] Failure failure_from_json(const nlohmann::json& json);

/// How one rank came to its end.
struct RankEnd {
  Rank rank;
  std::optional<Failure> failure;  ///< what it reported, if anything
  std::string ending;              ///< how its process ended; empty while it lives
  bool with_others = false;        ///< it ended because all did
  bool host_lost = false;          ///< its host is gone, whatever the rank has noticed meanwhile
  bool asked = false;              ///< it ended after all had been asked to
  std::string standing = {};       ///< why its process neither runs nor has ended, if that is so
};

/// The error to show for the ends of a run: first what caused it. A lost host is the cause; then a
/// rank whose own link is down, or that received a damaged frame; then those whose processes were
/// killed or died without a word, all of them together; then one that failed for a reason of its
/// own; then those whose processes stand still; then one that hears nobody or that nobody hears;
/// then one that others wait for although it complains of nothing; then the ends of a connection
/// that complain of each other, and the complaint of the earliest step. That all are gone at once is
/// the last to be said. Requires at least one failure, ending or standing.
[[nodiscard]] FabricError find_culprit(std::span<const RankEnd> ends);

}  // namespace gradwire::workers
