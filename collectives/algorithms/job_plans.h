#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "collectives/algorithms/collectives.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/spec.h"
#include "schedule/jobs/job.h"
#include "topologies/topology.h"

/// The algorithms that run the collectives of a job.
namespace gradwire::algorithms {

/// Groups of jobs are no larger.
inline constexpr std::size_t kMostJobMembers = 1024;

/// The ways of collective_ways() that take a group and no options, those of a collective together; the
/// first of each is taken where no other is named: of all-reduces the ring.
[[nodiscard]] std::span<const CollectiveWay> job_ways();

/// The algorithms of a job's collectives.
class JobAlgorithms {
 public:
  /// `named` are collectives with a way, "all-to-all(direct)", and of all-reduces also the algorithms
  /// that experiments name, "bml", which run in groups of all of a wiring's hosts, in their order. What
  /// is not named runs the first of job_ways(). Throws InputError, without a place, for a name that is
  /// neither, options, and a second name for a collective.
  explicit JobAlgorithms(const std::vector<std::string>& named = {});

  /// The Plans of a call among these hosts, by place in the group. `topology` must outlive the call.
  /// Throws InputError, without a place, for a group that is too large, or that the algorithm does not
  /// take.
  [[nodiscard]] std::vector<Plan> plans(const topologies::Topology& topology,
                                        const jobs::Call& call, std::span<const Rank> hosts) const;

  /// One of them: that of the member in this place. All members' Plans of a call have as many steps
  /// in their longest lane, so that those of several calls can be stages of one (in_stages). Throws as
  /// plans().
  [[nodiscard]] Plan plan(const topologies::Topology& topology, const jobs::Call& call,
                          std::span<const Rank> hosts, std::size_t place) const;

  /// The goal of a call, by place in the group: who begins with what, and who must end with it. An
  /// all-to-all has the elements that all send. Throws as plans().
  [[nodiscard]] Goal goal(const topologies::Topology& topology, const jobs::Call& call,
                          std::span<const Rank> hosts) const;

  /// "all-reduce(ring)": what runs a collective.
  [[nodiscard]] std::string name_of(jobs::Collective collective) const;

 private:
  /// The way of a collective; null where an algorithm of experiments runs it.
  [[nodiscard]] const CollectiveWay* way_of(jobs::Collective collective) const;
  /// The algorithm of a call, in a group that it takes. Throws InputError for another group.
  [[nodiscard]] Algorithm algorithm_for(const topologies::Topology& topology,
                                        const jobs::Call& call, std::span<const Rank> hosts) const;

  std::map<jobs::Collective, text::Spec> named_;
};

}  // namespace gradwire::algorithms
