#include "simulator/critical_path.h"

#include <algorithm>
#include <optional>

#include "schedule/jobs/program_graph.h"

namespace gradwire::simulator {
namespace {

struct Place {
  std::size_t rank = 0;
  std::size_t node = 0;
};

/// Finds the predecessor that delayed each node.
class PathFinder {
 public:
  PathFinder(const jobs::Job& job, const JobOutcome& outcome)
      : job_(job), outcome_(outcome), graphs_(jobs::graphs_of(job)) {}

  /// The node that was over last; nothing without nodes.
  [[nodiscard]] std::optional<Place> last() const {
    std::optional<Place> last;
    for (std::size_t rank = 0; rank < outcome_.nodes.size(); ++rank) {
      for (std::size_t node = 0; node < outcome_.nodes[rank].size(); ++node) {
        const Place place{.rank = rank, .node = node};
        if (!last || times(place).end > times(*last).end) last = place;
      }
    }
    return last;
  }

  /// The last call that a collective began to wait for; for computing the same node.
  [[nodiscard]] Place decisive(const Place& place) const {
    const jobs::Part& part = job_.ranks[place.rank];
    const jobs::Node& node = job_.programs[part.program].nodes[place.node];
    const auto* call = std::get_if<jobs::Call>(&node.what);
    if (call == nullptr) return place;
    const std::uint32_t group = part.groups[call->slot];
    const std::uint32_t ordinal = graphs_[part.program].ordinal(place.node);
    Place decisive = place;
    for (const Rank member : job_.groups[group].ranks) {
      const Place theirs{.rank = member.index(),
                         .node = jobs::node_of(job_, graphs_, {member, group, ordinal})};
      const double start = times(theirs).start;
      if (start > times(decisive).start && start <= times(place).end) decisive = theirs;
    }
    return decisive;
  }

  [[nodiscard]] const NodeTimes& times(const Place& place) const {
    return outcome_.nodes[place.rank][place.node];
  }

 private:
  const jobs::Job& job_;
  const JobOutcome& outcome_;
  std::vector<jobs::ProgramGraph> graphs_;
};

}  // namespace

std::vector<PathStep> critical_path(const jobs::Job& job, const JobOutcome& outcome) {
  const PathFinder finder(job, outcome);
  std::vector<PathStep> path;
  std::optional<Place> at = finder.last();
  while (at) {
    const Place decisive = finder.decisive(*at);
    path.push_back({.rank = at->rank,
                    .node = at->node,
                    .start = finder.times(decisive).start,
                    .end = finder.times(*at).end});
    const std::uint32_t cause = finder.times(decisive).cause;
    at = cause == NodeTimes::kNone ? std::nullopt
                                   : std::optional(Place{.rank = decisive.rank, .node = cause});
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace gradwire::simulator
