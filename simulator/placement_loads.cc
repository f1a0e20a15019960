#include "simulator/placement_loads.h"

#include <algorithm>
#include <utility>

#include "topologies/load.h"

namespace gradwire::simulator {
namespace {

constexpr std::size_t kMostRoutes = 500'000;  // that are remembered

double fourth_power(double x) {
  return x * x * x * x;
}

}  // namespace

PlacementLoads::PlacementLoads(const PlacementJudge& judge, const PlansOf& plans_of,
                               const NetworkModel& model)
    : topology_(judge.topology()), speeds_(topologies::link_speeds(judge.topology())) {
  for (double& speed : speeds_) speed *= model.rate;
  for (std::size_t job = 0; job < judge.tenants().size(); ++job) {
    flows_.emplace_back();
    const double alone = judge.alone()[job];
    if (alone == 0) continue;  // it does nothing
    flows_.back() = rank_flows(judge.tenants()[job].job, plans_of);
    for (RankFlow& flow : flows_.back()) flow.bytes /= alone;
  }
}

void PlacementLoads::go_to(Seats seats) {
  seats_ = std::move(seats);
  job_on_.assign(topology_.hosts(), kFree);
  times_.assign(speeds_.size(), 0);
  shares_.clear();
  crowding_ = {};
  for (std::size_t job = 0; job < seats_.size(); ++job) {
    for (const Rank host : seats_[job]) {
      job_on_[host.index()] = job;
      for (const Rank other : seats_[job]) {
        if (other < host) crowding_.distance += distance(other, host);
      }
    }
    shares_.push_back(shares_of(job, seats_[job]));
    for (const Share& share : shares_.back()) times_[share.link] += share.time;
  }
  for (const double time : times_) crowding_.load += fourth_power(time);
}

Seats PlacementLoads::exchanged(Rank a, Rank b) const {
  Seats seats = seats_;
  if (job_on(a) != kFree) seats[job_on(a)] = moved(job_on(a), a, b);
  if (job_on(b) != kFree) seats[job_on(b)] = moved(job_on(b), b, a);
  return seats;
}

Crowding PlacementLoads::if_exchanged(Rank a, Rank b) const {
  Crowding crowding = crowding_;
  std::vector<Share> changes;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    if (job_on(from) == kFree) continue;
    crowding.distance += farther(job_on(from), from, to);
    add_move(job_on(from), from, to, changes);
  }
  std::ranges::sort(changes, {}, &Share::link);
  for (std::size_t i = 0; i < changes.size();) {
    const std::uint32_t link = changes[i].link;
    double time = times_[link];
    for (; i < changes.size() && changes[i].link == link; ++i) time += changes[i].time;
    crowding.load += fourth_power(std::max(time, 0.0)) - fourth_power(times_[link]);
  }
  return crowding;
}

void PlacementLoads::exchange(Rank a, Rank b) {
  crowding_ = if_exchanged(a, b);
  Seats after = exchanged(a, b);
  for (const std::size_t job : {job_on(a), job_on(b)}) {
    if (job == kFree) continue;
    for (const Share& share : shares_[job]) times_[share.link] -= share.time;
    shares_[job] = shares_of(job, after[job]);
    for (const Share& share : shares_[job]) times_[share.link] += share.time;
  }
  std::swap(job_on_[a.index()], job_on_[b.index()]);
  seats_ = std::move(after);
}

std::vector<PlacementLoads::Share> PlacementLoads::shares_of(std::size_t job,
                                                             const std::vector<Rank>& hosts) const {
  std::vector<Share> all;
  for (const RankFlow& flow : flows_[job]) {
    for (const std::uint32_t link : route(hosts[flow.from.index()], hosts[flow.to.index()])) {
      all.push_back({.link = link, .time = flow.bytes / speeds_[link]});
    }
  }
  std::ranges::sort(all, {}, &Share::link);
  std::vector<Share> shares;
  for (const Share& share : all) {
    if (shares.empty() || shares.back().link != share.link) {
      shares.push_back(share);
    } else {
      shares.back().time += share.time;
    }
  }
  return shares;
}

const PlacementLoads::Route& PlacementLoads::route(Rank from, Rank to) const {
  if (routes_.size() > kMostRoutes) routes_.clear();
  const std::uint64_t key = (std::uint64_t{from.value} << 32U) | to.value;
  const auto [known, is_new] = routes_.try_emplace(key);
  if (!is_new) return known->second;
  for (const topologies::Hop& hop : topology_.route(from, to)) {
    known->second.push_back(topologies::link_number(hop));
  }
  return known->second;
}

std::vector<Rank> PlacementLoads::moved(std::size_t job, Rank from, Rank to) const {
  std::vector<Rank> hosts = seats_[job];
  std::ranges::replace(hosts, from, to);
  std::ranges::sort(hosts);
  return hosts;
}

double PlacementLoads::distance(Rank a, Rank b) const {
  return static_cast<double>(route(a, b).size());
}

double PlacementLoads::farther(std::size_t job, Rank from, Rank to) const {
  double sum = 0;
  for (const Rank host : seats_[job]) {
    if (host == from) continue;
    sum += distance(std::min(host, to), std::max(host, to)) -
           distance(std::min(host, from), std::max(host, from));
  }
  return sum;
}

void PlacementLoads::add_move(std::size_t job, Rank from, Rank to,
                              std::vector<Share>& changes) const {
  for (const Share& share : shares_[job]) {
    changes.push_back({.link = share.link, .time = -share.time});
  }
  const std::vector<Share> after = shares_of(job, moved(job, from, to));
  changes.insert(changes.end(), after.begin(), after.end());
}

}  // namespace gradwire::simulator
