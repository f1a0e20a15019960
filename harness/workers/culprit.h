#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/error.h"
#include "harness/workers/failure.h"

/// Finds the one that is to blame from what several ranks complain about.
namespace gradwire::workers {

/// Circumstances of one rank's end.
struct RankEnd {
  Rank rank;
  std::optional<Failure> failure;  ///< failure that it reported, if anything
  std::string ending;              ///< end of its process, in words; empty while it lives
  bool with_others = false;        ///< it ended because all did
  bool host_lost = false;          ///< its host is gone, whatever the rank has noticed meanwhile
  bool asked = false;              ///< it ended after all had been asked to
  std::string standing = {};       ///< reason why its process neither runs nor has ended, or empty
};

/// The error to show for the ends of a run: first what caused it. A lost host is the cause; then a
/// rank whose own link is down, or that received a damaged frame; then those whose processes were
/// killed or died without a word, all of them together; then one that failed for a reason of its
/// own; then those whose processes stand still; then one that hears nobody or that nobody hears;
/// then the one that is waited for in the earliest step although it complains of nothing; then those
/// who complain of each other in the smallest circle, and of them the one of the earliest step. That
/// all are gone at once is the last to be said. Requires at least one failure, ending or standing.
[[nodiscard]] FabricError find_culprit(std::span<const RankEnd> ends);

}  // namespace gradwire::workers
