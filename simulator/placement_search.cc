#include "simulator/placement_search.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/error.h"
#include "simulator/company.h"
#include "topologies/load.h"

namespace gradwire::simulator {
namespace {

using Seats = std::vector<std::vector<Rank>>;

constexpr std::size_t kSimulatedSwaps = 20;
constexpr std::size_t kMostSwaps = 1000;  // that are compared by their load
constexpr std::size_t kFree = SIZE_MAX;   // the job of a host that runs none

/// What a placement is judged by: its largest slowdown, and their sum.
using Cost = std::pair<double, double>;

/// The way up: which of two costs, or loads, is better.
enum class Wanted { least, most };

template <class Value>
bool is_better(Wanted wanted, const Value& a, const Value& b) {
  return wanted == Wanted::least ? a < b : a > b;
}

class Search {
 public:
  Search(const topologies::Topology& topology, std::span<const Tenant> tenants,
         const PlansOf& plans_of, const NetworkModel& model)
      : topology_(topology),
        tenants_(tenants.begin(), tenants.end()),
        plans_of_(plans_of),
        model_(model),
        speeds_(topologies::link_speeds(topology)) {
    for (const Tenant& tenant : tenants) alone_.push_back(alone_on_first_hosts(tenant));
  }

  /// How many placements there are; `most` + 1 where there are more.
  [[nodiscard]] std::size_t placements(std::size_t most) const {
    double all = 1;
    std::size_t free = topology_.hosts();
    for (const Tenant& tenant : tenants_) {
      const std::size_t ranks = tenant.seats.size();
      for (std::size_t i = 0; i < ranks; ++i) {
        all *= static_cast<double>(free - i) / static_cast<double>(i + 1);
      }
      if (all > static_cast<double>(most) + 0.5) return most + 1;
      free -= ranks;
    }
    return static_cast<std::size_t>(all + 0.5);
  }

  void try_all() {
    Seats seats(tenants_.size());
    std::vector<bool> taken(topology_.hosts());
    place(0, 0, seats, taken);
  }

  /// From the tenants' seats to those that no swap makes better.
  void climb(Wanted wanted, std::size_t most) {
    Seats at;
    for (const Tenant& tenant : tenants_) at.push_back(tenant.seats);
    for (std::vector<Rank>& hosts : at) std::ranges::sort(hosts);
    Cost cost = judge(at);
    for (const std::size_t end = found_.simulated + most; found_.simulated < end;) {
      Seats next = at;
      for (Seats& swap : promising_swaps(at, wanted)) {
        const Cost other = judge(swap);
        if (!is_better(wanted, other, cost)) continue;
        cost = other;
        next = std::move(swap);
      }
      if (next == at) return;
      at = std::move(next);
    }
  }

  [[nodiscard]] FoundPlacements take() { return std::move(found_); }

 private:
  [[nodiscard]] static double mean(const JobOutcome& outcome, Seconds start) {
    return (outcome.ends.back() - start.count()) / static_cast<double>(outcome.ends.size());
  }

  [[nodiscard]] double alone_on_first_hosts(Tenant tenant) const {
    for (std::size_t rank = 0; rank < tenant.seats.size(); ++rank) tenant.seats[rank] = Rank(rank);
    const std::span<const Tenant> one(&tenant, 1);
    return mean(simulate(topology_, one, plans_of_, model_).front(), tenant.start);
  }

  /// Simulates a placement, and keeps it if it is the best or the worst so far.
  Cost judge(const Seats& seats) {
    const auto [known, is_new] = judged_.try_emplace(seats);
    if (!is_new) return known->second;
    for (std::size_t i = 0; i < tenants_.size(); ++i) tenants_[i].seats = seats[i];
    const auto outcomes = simulate(topology_, tenants_, plans_of_, model_, {.goes_on = true});
    auto& [slowdown, sum] = known->second;
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      if (alone_[i] == 0) continue;  // it does nothing
      const double each = mean(outcomes[i], tenants_[i].start) / alone_[i];
      slowdown = std::max(slowdown, each);
      sum += each;
    }
    const bool is_first = ++found_.simulated == 1;
    for (auto [kept, wanted] :
         {std::pair(&found_.best, Wanted::least), std::pair(&found_.worst, Wanted::most)}) {
      const Cost before(kept->slowdown, kept->sum);
      if (is_first || is_better(wanted, known->second, before)) *kept = {seats, slowdown, sum};
    }
    return known->second;
  }

  [[nodiscard]] bool are_equal(const Tenant& a, const Tenant& b) const {
    return &a.job == &b.job && a.start == b.start && a.iterations == b.iterations;
  }

  /// Gives the job its next host, from `from` on, and then all others theirs.
  void place(std::size_t job, std::size_t from, Seats& seats, std::vector<bool>& taken) {
    if (job == tenants_.size()) {
      judge(seats);
      return;
    }
    if (seats[job].size() == tenants_[job].job.ranks.size()) {
      return place(job + 1, first_host_after(job, seats), seats, taken);
    }
    for (std::size_t host = from; host < taken.size(); ++host) {
      if (taken[host]) continue;
      taken[host] = true;
      seats[job].emplace_back(host);
      place(job, host + 1, seats, taken);
      seats[job].pop_back();
      taken[host] = false;
    }
  }

  /// Where the hosts of the job after this one begin: of equal jobs the first has the lowest host.
  [[nodiscard]] std::size_t first_host_after(std::size_t job, const Seats& seats) const {
    const bool is_next_equal =
        job + 1 < tenants_.size() && are_equal(tenants_[job], tenants_[job + 1]);
    return is_next_equal ? seats[job].front().index() : 0;
  }

  [[nodiscard]] std::vector<double> bytes_of(std::size_t job,
                                             const std::vector<Rank>& hosts) const {
    Tenant tenant = tenants_[job];
    tenant.seats = hosts;
    return link_bytes(topology_, tenant, plans_of_);
  }

  /// The longest that a link of speed 1 would need for these bytes.
  [[nodiscard]] double longest(const std::vector<double>& bytes) const {
    double most = 0;
    for (std::size_t link = 0; link < bytes.size(); ++link) {
      most = std::max(most, bytes[link] / speeds_[link]);
    }
    return most;
  }

  /// The swaps that change who shares links with whom to the better, as far as loads tell.
  [[nodiscard]] std::vector<Seats> promising_swaps(const Seats& at, Wanted wanted) const {
    std::vector<std::vector<double>> bytes;
    std::vector<double> all(speeds_.size());
    for (std::size_t job = 0; job < at.size(); ++job) {
      bytes.push_back(bytes_of(job, at[job]));
      std::ranges::transform(all, bytes.back(), all.begin(), std::plus<>());
    }
    std::vector<std::pair<double, Seats>> swaps;
    for (Seats& swap : swaps_of(at)) {
      std::vector<double> swapped = all;
      for (std::size_t job = 0; job < at.size(); ++job) {
        if (swap[job] == at[job]) continue;
        std::ranges::transform(swapped, bytes[job], swapped.begin(), std::minus<>());
        std::ranges::transform(swapped, bytes_of(job, swap[job]), swapped.begin(), std::plus<>());
      }
      swaps.emplace_back(longest(swapped), std::move(swap));
    }
    std::ranges::stable_sort(
        swaps, [&](const auto& a, const auto& b) { return is_better(wanted, a.first, b.first); });
    if (swaps.size() > kSimulatedSwaps) swaps.resize(kSimulatedSwaps);
    std::vector<Seats> best;
    for (auto& [load, swap] : swaps) best.push_back(std::move(swap));
    return best;
  }

  /// Placements in which two hosts of different jobs, or one of a job and a free one, are swapped; some
  /// of them where there are very many.
  [[nodiscard]] std::vector<Seats> swaps_of(const Seats& at) const {
    std::vector<std::size_t> job_of(topology_.hosts(), kFree);
    for (std::size_t job = 0; job < at.size(); ++job) {
      for (const Rank host : at[job]) job_of[host.index()] = job;
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < job_of.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (job_of[a] != job_of[b]) pairs.emplace_back(a, b);
      }
    }
    const std::size_t stride = pairs.size() / kMostSwaps + 1;
    std::vector<Seats> swaps;
    for (std::size_t i = 0; i < pairs.size(); i += stride) {
      const auto [a, b] = pairs[i];
      Seats swapped = at;
      exchange(swapped, job_of[a], Rank(a), Rank(b));
      exchange(swapped, job_of[b], Rank(b), Rank(a));
      swaps.push_back(std::move(swapped));
    }
    return swaps;
  }

  static void exchange(Seats& seats, std::size_t job, Rank from, Rank to) {
    if (job == kFree) return;
    std::ranges::replace(seats[job], from, to);
    std::ranges::sort(seats[job]);
  }

  const topologies::Topology& topology_;
  std::vector<Tenant> tenants_;
  const PlansOf& plans_of_;
  const NetworkModel& model_;
  std::vector<double> speeds_;
  std::vector<double> alone_;  ///< by job: seconds
  std::map<Seats, Cost> judged_;
  FoundPlacements found_;
};

}  // namespace

FoundPlacements search_placements(const topologies::Topology& topology,
                                  std::span<const Tenant> tenants, const PlansOf& plans_of,
                                  const NetworkModel& model, const SearchLimits& limits) {
  Search search(topology, tenants, plans_of, model);
  const bool is_exact = search.placements(limits.most_exact) <= limits.most_exact;
  if (is_exact) {
    search.try_all();
  } else {
    search.climb(Wanted::least, limits.most_simulated / 2);
    search.climb(Wanted::most, limits.most_simulated / 2);
  }
  FoundPlacements found = search.take();
  found.is_exact = is_exact;
  return found;
}

}  // namespace gradwire::simulator
