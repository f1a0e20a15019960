#include "simulator/placement_search.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "simulator/least_iteration.h"
#include "simulator/placement_climb.h"
#include "simulator/placement_loads.h"
#include "topologies/twins.h"

namespace gradwire::simulator {
namespace {

/// A function that is given one placement after the other, and returns whether it wants another
/// one.
using Visit = std::function<bool(const Seats&)>;

/// All placements, but only one of those that are equivalent: of twins the lowest are taken first,
/// and of equal jobs the first has the lowest runs of twins.
class AllPlacements {
 public:
  AllPlacements(std::span<const Tenant> tenants, std::span<const std::size_t> twins)
      : tenants_(tenants), twins_(twins), seats_(tenants.size()), taken_(twins.size()) {}

  /// Calls visit(seats) for each placement, until that returns false.
  void visit(const Visit& visit) {
    visit_ = &visit;
    static_cast<void>(place(0, 0));
  }

 private:
  /// Gives the job its next host, from `from` on, and then all other jobs theirs. Returns whether
  /// another placement is wanted.
  bool place(std::size_t job, std::size_t from) {
    if (job == tenants_.size()) return (*visit_)(seats_);
    if (seats_[job].size() == tenants_[job].seats.size()) {
      return comes_before_its_equal(job) || place(job + 1, first_host_after(job));
    }
    for (std::size_t host = from; host < taken_.size(); ++host) {
      if (taken_[host] || is_passed_over(host)) continue;
      taken_[host] = true;
      seats_[job].emplace_back(host);
      const bool goes_on = place(job, host + 1);
      seats_[job].pop_back();
      taken_[host] = false;
      if (!goes_on) return false;
    }
    return true;
  }

  /// Whether the twin before the host is free, and could as well be taken.
  [[nodiscard]] bool is_passed_over(std::size_t host) const {
    return host > 0 && twins_[host] == twins_[host - 1] && !taken_[host - 1];
  }

  /// Whether a job is equal to the one before it: then it does not matter which of them is where.
  [[nodiscard]] bool is_equal_to_last(std::size_t job) const {
    const Tenant& a = tenants_[job - 1];
    const Tenant& b = tenants_[job];
    return &a.job == &b.job && a.start == b.start && a.iterations == b.iterations;
  }

  /// Whether a job has hosts that come before those of the equal job before it.
  [[nodiscard]] bool comes_before_its_equal(std::size_t job) const {
    if (job == 0 || !is_equal_to_last(job)) return false;
    return std::ranges::lexicographical_compare(
        seats_[job], seats_[job - 1],
        [this](Rank a, Rank b) { return twins_[a.index()] < twins_[b.index()]; });
  }

  /// The first host to try for the job after this one.
  [[nodiscard]] std::size_t first_host_after(std::size_t job) const {
    const bool is_next_equal = job + 1 < tenants_.size() && is_equal_to_last(job + 1);
    return is_next_equal && !seats_[job].empty() ? seats_[job].front().index() : 0;
  }

  std::span<const Tenant> tenants_;
  std::span<const std::size_t> twins_;
  Seats seats_;
  std::vector<bool> taken_;  ///< by host
  const Visit* visit_ = nullptr;
};

/// Whether there are at most so many placements.
bool are_at_most(AllPlacements all, std::size_t most) {
  std::size_t count = 0;
  all.visit([&](const Seats&) { return ++count <= most; });
  return count <= most;
}

/// The largest over all jobs of an iteration's lower bound, in units of its time alone.
double least_slowdown(const PlacementJudge& judge, const PlansOf& plans_of,
                      const NetworkModel& model) {
  double least = 0;
  for (std::size_t job = 0; job < judge.tenants().size(); ++job) {
    const double alone = judge.alone()[job];
    if (alone == 0) continue;  // it does nothing
    const double time =
        least_iteration(judge.topology(), judge.tenants()[job].job, plans_of, model);
    least = std::max(least, time / alone);
  }
  return least;
}

}  // namespace

FoundPlacements search_placements(const topologies::Topology& topology,
                                  std::span<const Tenant> tenants, const PlansOf& plans_of,
                                  const NetworkModel& model, const SearchLimits& limits) {
  PlacementJudge judge(topology, tenants, plans_of, model);
  const double bound = least_slowdown(judge, plans_of, model);
  const std::vector<std::size_t> twins = topologies::twin_runs(topology);
  AllPlacements all(tenants, twins);
  const bool is_exact = are_at_most(all, limits.most_exact);
  if (is_exact) {
    all.visit([&](const Seats& seats) {
      judge.judge(seats);
      return true;
    });
  } else {
    PlacementLoads loads(judge, plans_of, model);
    const std::size_t half = limits.most_simulated / 2;
    PlacementClimb(judge, loads, twins, {.wanted = Wanted::least, .bound = bound, .most = half})
        .run();
    PlacementClimb(judge, loads, twins, {.wanted = Wanted::most, .most = limits.most_simulated})
        .run();
  }
  return {.best = judge.found(Wanted::least),
          .worst = judge.found(Wanted::most),
          .is_exact = is_exact,
          .simulated = judge.simulated(),
          .bound = bound};
}

}  // namespace gradwire::simulator
