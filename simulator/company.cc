#include "simulator/company.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "topologies/load.h"

namespace gradwire::simulator {
namespace {

/// A kind of call that a group makes, the same for all its members.
using Kind = std::tuple<std::uint32_t, jobs::Collective, std::size_t, Dtype, std::uint32_t>;

/// The number of times that each group of a job makes each call in an iteration.
std::map<Kind, std::size_t> calls_of(const jobs::Job& job) {
  std::map<Kind, std::size_t> calls;
  for (std::uint32_t group = 0; group < job.groups.size(); ++group) {
    // All members make the same calls.
    const jobs::Part& part = job.ranks[job.groups[group].ranks.front().index()];
    const std::size_t slot = part.slot_of(group);
    for (const jobs::Node& node : job.programs[part.program].nodes) {
      const auto* call = std::get_if<jobs::Call>(&node.what);
      if (call == nullptr || call->slot != slot) continue;
      ++calls[{group, call->what, call->elements, call->dtype, call->root}];
    }
  }
  return calls;
}

/// Calls use(sender's host, send, bytes) for every send in an iteration of a job whose rank r is on
/// host seats[r].
template <class Use>
void for_each_send(const jobs::Job& job, std::span<const Rank> seats, const PlansOf& plans_of,
                   const Use& use) {
  for (const auto& [kind, count] : calls_of(job)) {
    const auto& [group, what, elements, dtype, root] = kind;
    std::vector<Rank> hosts;
    for (const Rank rank : job.groups[group].ranks) hosts.push_back(seats[rank.index()]);
    const std::vector<Plan> plans =
        plans_of({.what = what, .elements = elements, .dtype = dtype, .root = root}, hosts);
    const double each = static_cast<double>(size_of(dtype)) * static_cast<double>(count);
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      for (const Lane& lane : plans.at(place).lanes) {
        for (const Step& step : lane) {
          for (const Send& send : step.sends) {
            use(hosts[place], send, static_cast<double>(send.what.count) * each);
          }
        }
      }
    }
  }
}

double mean_iteration(const JobOutcome& outcome, Seconds start) {
  return (outcome.ends.back() - start.count()) / static_cast<double>(outcome.ends.size());
}

bool share_a_link(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t link = 0; link < a.size(); ++link) {
    if (a[link] > 0 && b[link] > 0) return true;
  }
  return false;
}

std::optional<SharedLink> busiest_shared(const std::vector<std::vector<double>>& bytes,
                                         std::size_t job, const std::vector<double>& capacities) {
  std::optional<SharedLink> busiest;
  for (std::uint32_t link = 0; link < capacities.size(); ++link) {
    if (bytes[job][link] == 0) continue;
    SharedLink found{.link = link, .own_seconds = bytes[job][link] / capacities[link]};
    for (std::size_t other = 0; other < bytes.size(); ++other) {
      found.seconds += bytes[other][link] / capacities[link];
      if (other != job && bytes[other][link] > 0) found.others.push_back(other);
    }
    if (found.others.empty() || (busiest && busiest->seconds >= found.seconds)) continue;
    busiest = found;
  }
  return busiest;
}

}  // namespace

std::vector<double> link_bytes(const topologies::Topology& topology, const Tenant& tenant,
                               const PlansOf& plans_of) {
  std::vector<double> bytes(topologies::link_speeds(topology).size());
  for_each_send(tenant.job, tenant.seats, plans_of, [&](Rank from, const Send& send, double size) {
    for (const LinkUse& use : topologies::planned_links(topology, from, send.to)) {
      bytes[use.link] += size;
    }
  });
  return bytes;
}

std::vector<RankFlow> rank_flows(const jobs::Job& job, const PlansOf& plans_of) {
  std::vector<Rank> seats;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) seats.emplace_back(rank);
  std::map<std::pair<Rank, Rank>, double> bytes;
  for_each_send(job, seats, plans_of, [&](Rank from, const Send& send, double size) {
    bytes[{from, send.to.rank}] += size;
  });
  std::vector<RankFlow> flows;
  for (const auto& [pair, size] : bytes) {
    flows.push_back({.from = pair.first, .to = pair.second, .bytes = size});
  }
  return flows;
}

Company keep_company(const topologies::Topology& topology, std::span<const Tenant> tenants,
                     const PlansOf& plans_of, const NetworkModel& model, bool pairs) {
  const auto run = [&](const std::vector<Tenant>& some) {
    return simulate(topology, some, plans_of, model, {.goes_on = true});
  };
  Company company;
  std::vector<std::vector<double>> bytes;
  for (const Tenant& tenant : tenants) {
    company.alone.push_back(mean_iteration(run({tenant}).front(), tenant.start));
    bytes.push_back(link_bytes(topology, tenant, plans_of));
  }
  const auto all = run({tenants.begin(), tenants.end()});
  std::vector<double> capacities = topologies::link_speeds(topology);
  for (double& capacity : capacities) capacity *= model.rate;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    company.together.push_back(mean_iteration(all[i], tenants[i].start));
    company.links.push_back(busiest_shared(bytes, i, capacities));
  }
  if (!pairs) return company;
  company.slowdown.assign(tenants.size(), std::vector<double>(tenants.size(), 1));
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!share_a_link(bytes[i], bytes[j])) continue;
      const auto two = run({tenants[i], tenants[j]});
      const double i_took = mean_iteration(two[0], tenants[i].start);
      const double j_took = mean_iteration(two[1], tenants[j].start);
      if (company.alone[i] > 0) company.slowdown[i][j] = i_took / company.alone[i];
      if (company.alone[j] > 0) company.slowdown[j][i] = j_took / company.alone[j];
    }
  }
  return company;
}

}  // namespace gradwire::simulator
