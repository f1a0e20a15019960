#include "simulator/placement_climb.h"

#include <algorithm>
#include <utility>

#include "simulator/placement_starts.h"

namespace gradwire::simulator {
namespace {

constexpr std::size_t kGivenStarts = 3;      // the tenants' seats, packed, dealt
constexpr std::size_t kMostVainStarts = 40;  // one after the other, beyond the given ones
constexpr std::size_t kSimulatedExchanges = 20;
constexpr std::size_t kMostExchanges = 1000;    // that are compared by their loads
constexpr std::size_t kVainExchanges = 500;     // in a row; they end settling
constexpr std::size_t kMostSettling = 200'000;  // exchanges while settling, from all starts
/// The number of hosts of which one is exchanged to leave the best placement so far.
constexpr std::size_t kKickedHosts = 8;
/// The factor within which a slowdown counts as equal to the bound.
constexpr double kRounding = 1 + 1e-9;

}  // namespace

PlacementClimb::PlacementClimb(PlacementJudge& judge, PlacementLoads& loads,
                               std::span<const std::size_t> twins, const ClimbLimits& limits)
    : judge_(judge), loads_(loads), twins_(twins), limits_(limits) {
  for (const Tenant& tenant : judge.tenants()) ranks_.push_back(tenant.seats.size());
}

void PlacementClimb::run() {
  for (std::size_t round = 0; round < kGivenStarts; ++round) {
    judge_.judge(start(round));
    if (is_over()) return;
  }
  std::size_t vain = 0;
  for (std::size_t round = 0; vain < kMostVainStarts && tried_ < kMostSettling; ++round) {
    loads_.go_to(start(round));
    settle();
    const JudgedPlacement& best = judge_.found(limits_.wanted);
    const Cost before(best.slowdown, best.sum);
    const Cost settled = judge_.judge(loads_.seats());
    if (!is_better(limits_.wanted, before, settled)) climb(settled);
    if (is_over()) return;
    const bool is_new = is_better(limits_.wanted, Cost(best.slowdown, best.sum), before);
    vain = is_new || round < kGivenStarts ? 0 : vain + 1;
  }
}

bool PlacementClimb::is_over() const {
  if (judge_.simulated() >= limits_.most) return true;
  return limits_.wanted == Wanted::least &&
         judge_.found(Wanted::least).slowdown <= limits_.bound * kRounding;
}

Seats PlacementClimb::start(std::size_t round) {
  const topologies::Topology& topology = judge_.topology();
  if (round == 0) {
    Seats seats;
    for (const Tenant& tenant : judge_.tenants()) {
      std::ranges::sort(seats.emplace_back(tenant.seats));
    }
    return seats;
  }
  if (round == 1) return packed(topology, ranks_);
  if (round == 2) return dealt(topology.hosts(), ranks_);
  return round % 2 == 0 ? shuffled(topology.hosts(), ranks_, random_) : kicked();
}

Seats PlacementClimb::kicked() {
  const std::size_t hosts = twins_.size();
  std::vector<std::size_t> job_on(hosts, PlacementLoads::kFree);
  const Seats& best = judge_.found(limits_.wanted).seats;
  for (std::size_t job = 0; job < best.size(); ++job) {
    for (const Rank host : best[job]) job_on[host.index()] = job;
  }
  for (std::size_t i = 0; i < hosts / kKickedHosts + 2; ++i) {
    std::swap(job_on[below(hosts)], job_on[below(hosts)]);
  }
  Seats seats(best.size());
  for (std::size_t host = 0; host < hosts; ++host) {
    if (job_on[host] != PlacementLoads::kFree) seats[job_on[host]].emplace_back(host);
  }
  return seats;
}

void PlacementClimb::settle() {
  const std::size_t most_vain = std::min(kVainExchanges, 2 * twins_.size() * twins_.size());
  std::size_t vain = 0;
  for (; tried_ < kMostSettling && vain < most_vain; ++tried_, ++vain) {
    const auto [a, b] = any_exchange();
    if (!matters(a, b)) continue;
    if (!is_better(limits_.wanted, loads_.if_exchanged(a, b), loads_.crowding())) continue;
    loads_.exchange(a, b);
    vain = 0;
  }
}

void PlacementClimb::climb(Cost cost) {
  for (;;) {
    Seats next;
    for (const auto& [a, b] : promising()) {
      if (is_over()) return;
      Seats seats = loads_.exchanged(a, b);
      const Cost other = judge_.judge(seats);
      if (!is_better(limits_.wanted, other, cost)) continue;
      cost = other;
      next = std::move(seats);
    }
    if (next.empty()) return;
    loads_.go_to(std::move(next));
  }
}

std::vector<PlacementClimb::Exchange> PlacementClimb::promising() {
  std::vector<Exchange> all;
  for (std::size_t a = 0; a < twins_.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (matters(Rank(a), Rank(b))) all.emplace_back(a, b);
    }
  }
  for (std::size_t i = 0; i < std::min(all.size(), kMostExchanges); ++i) {
    std::swap(all[i], all[i + below(all.size() - i)]);
  }
  if (all.size() > kMostExchanges) all.resize(kMostExchanges);
  std::vector<std::pair<Crowding, Exchange>> judged;
  for (const auto& [a, b] : all) judged.push_back({loads_.if_exchanged(a, b), {a, b}});
  std::ranges::stable_sort(judged, [this](const auto& a, const auto& b) {
    return is_better(limits_.wanted, a.first, b.first);
  });
  std::vector<Exchange> best;
  for (const auto& [crowding, exchange] : judged) {
    if (best.size() == kSimulatedExchanges) break;
    best.push_back(exchange);
  }
  return best;
}

PlacementClimb::Exchange PlacementClimb::any_exchange() {
  const std::size_t job = below(ranks_.size());
  const std::vector<Rank>& hosts = loads_.seats()[job];
  const Rank a = hosts.empty() ? Rank(0) : hosts[below(hosts.size())];
  return {a, Rank(below(twins_.size()))};
}

bool PlacementClimb::matters(Rank a, Rank b) const {
  return loads_.job_on(a) != loads_.job_on(b) && twins_[a.index()] != twins_[b.index()];
}

}  // namespace gradwire::simulator
