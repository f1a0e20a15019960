#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "bml/plan.h"
#include "collectives/algorithms/algorithm.h"
#include "core/count.h"
#include "core/plan.h"
#include "core/plan_check.h"
#include "core/text/spec.h"
#include "ps/plan.h"
#include "results/claims/formula_table.h"
#include "results/report/page/references.h"
#include "ringallreduce/plan.h"
#include "topologies/bcube.h"
#include "topologies/cost.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::claims {
namespace {

/// A wiring and every rank's Plan on it.
struct Planned {
  std::unique_ptr<const topologies::Topology> topology;
  std::vector<Plan> plans;
  std::size_t elements = 0;
};

/// Plans by the names that experiments use, of a number of elements or of a workload; of 0, so many
/// elements that every algorithm divides them evenly. Made once.
const Planned& planned(const std::string& algorithm, const std::string& wiring, const Value& of) {
  static std::map<std::string, Planned> all;
  const auto* const workload = std::get_if<std::string>(&of);
  std::size_t elements = workload == nullptr ? argument<std::size_t>(of) : 0;
  Planned& plans = all[fmt::format("{} on {} of {} {}", algorithm, wiring,
                                   workload == nullptr ? "" : *workload, elements)];
  if (!plans.plans.empty()) return plans;
  plans.topology = topologies::make_topology(wiring);
  const topologies::Topology& topology = *plans.topology;
  if (elements == 0) elements = 16 * topology.hosts() * topology.ports_per_host();
  const workloads::Workload what =
      workloads::parse_workload(workload == nullptr ? "" : *workload, elements);
  const algorithms::Algorithm summing =
      algorithms::parse_algorithm(text::parse_spec(algorithm), topology, what);
  const algorithms::Amount amount = summing.amount_of(what);
  plans.elements = amount.elements;
  plans.plans = summing.plans(amount);
  return plans;
}

Numbers wiring(const std::string& name) {
  const auto topology = topologies::make_topology(name);
  const topologies::Cost cost = topologies::cost_of(*topology);
  return {{"hosts", real(topology->hosts())},
          {"nics", real(topology->ports_per_host())},
          {"switches", real(cost.switches)},
          {"switch_ports", real(cost.switch_ports)},
          {"ports_per_switch", real(topology->ports_per_switch())}};
}

/// Servers one hop away from each in BCube(n,k).
std::size_t neighbours(std::size_t n, std::size_t k) {
  const topologies::BCube wiring(n, k);
  std::size_t count = 0;
  for (std::size_t level = 0; level < k; ++level) count += wiring.neighbours(Rank(0), level).size();
  return count;
}

/// Step after step, what the slowest link takes; in units of T_F.
double plan_t_f(const std::string& algorithm, const std::string& wiring) {
  const Planned& plans = planned(algorithm, wiring, 0.0);
  return topologies::step_bound(*plans.topology, plans.plans) / real(plans.elements);
}

/// Elements that all ports send together, and receive together: each is counted once.
std::uint64_t sent(const std::string& algorithm, const std::string& wiring, const Value& of) {
  std::uint64_t sum = 0;
  for (const Plan& plan : planned(algorithm, wiring, of).plans) {
    for (const PortCount& port : count_ports(plan)) sum += port.sent;
  }
  return sum;
}

/// Elements that a rank sends and receives through its first port.
Numbers port(const std::string& algorithm, const std::string& wiring, const Value& of,
             std::size_t rank) {
  const PortCount port = count_ports(planned(algorithm, wiring, of).plans.at(rank)).front();
  return {{"sent", real(port.sent)}, {"received", real(port.received)}};
}

/// Whether all sums are right, by the symbolic checker.
bool is_proven(const std::string& algorithm, const std::string& wiring, const Value& of) {
  const Planned& plans = planned(algorithm, wiring, of);
  return check_plans(plans.plans, plans.elements).empty();
}

/// The most that a link carries in one step of all lanes and ranks.
std::uint64_t step_load(const std::string& algorithm, const std::string& wiring, const Value& of,
                        std::size_t step) {
  const Planned& plans = planned(algorithm, wiring, of);
  return topologies::load_of_step(*plans.topology, plans.plans, step).max();
}

/// Whether in every step every cable carries as much as every other, in both directions.
bool is_even(const Planned& plans) {
  const std::size_t steps = plans.plans.front().lanes.front().size();
  for (std::size_t step = 0; step < steps; ++step) {
    const auto load = topologies::load_of_step(*plans.topology, plans.plans, step);
    for (std::size_t link = 0; link < plans.topology->links().size(); ++link) {
      for (const bool from_a : {true, false}) {
        if (load.at({LinkId(link), from_a}) != load.max()) return false;
      }
    }
  }
  return true;
}

/// Whether every lane of a rank sends through one port in each step, and no two through the same.
bool lanes_have_ports_of_their_own(const Plan& plan) {
  for (std::size_t step = 0; step < plan.lanes.front().size(); ++step) {
    std::set<Port> taken;
    for (const Lane& lane : plan.lanes) {
      std::set<Port> ports;
      for (const Send& send : lane.at(step).sends) ports.insert(send.to.via);
      if (ports.size() > 1) return false;
      if (!ports.empty() && !taken.insert(*ports.begin()).second) return false;
    }
  }
  return true;
}

bool uses_links_evenly(const std::string& algorithm, const std::string& wiring, const Value& of) {
  const Planned& plans = planned(algorithm, wiring, of);
  return std::ranges::all_of(plans.plans, lanes_have_ports_of_their_own) && is_even(plans);
}

/// BML's pieces of so many elements on BCube(n,k): how many begin at different elements, how many
/// are empty, and their sizes.
Numbers bml_pieces(std::size_t n, std::size_t k, std::size_t elements) {
  const topologies::BCube wiring(n, k);
  std::set<std::size_t> starts, sizes;
  double empty = 0;
  for (std::size_t thread = 0; thread < k; ++thread) {
    for (std::size_t owner = 0; owner < wiring.hosts(); ++owner) {
      const Extent piece = bml::extent_of(wiring.digits(), elements, {thread, Rank(owner)});
      starts.insert(piece.first);
      sizes.insert(piece.count);
      if (piece.empty()) ++empty;
    }
  }
  return {{"count", real(starts.size())},
          {"smallest", real(*sizes.begin())},
          {"largest", real(*sizes.rbegin())},
          {"empty", empty}};
}

/// Time of a parameter server on a BCube(n,2) along its own routes, in T_F: the load of a link when
/// every pair of servers exchanges 1/N of the gradient, twice.
double ps_on_bcube(std::size_t n) {
  const topologies::BCube wiring(n, 2);
  topologies::LinkLoad load(wiring);
  for (std::size_t from = 0; from < wiring.hosts(); ++from) {
    for (std::size_t to = 0; to < wiring.hosts(); ++to) {
      if (from != to) load.add(Rank(from), Rank(to), 1);
    }
  }
  return 2 * real(load.max()) / real(wiring.hosts());
}

/// Time with so many servers of balanced shares among the workers, in T_F.
double ps(std::size_t workers, std::size_t elements, std::size_t servers) {
  return ps::closed_form(workers, elements, {.servers = servers});
}

/// Whether the ring of 5 moves in the first step of a stage the chunks of its printed table.
bool follows_table(const std::string& stage) {
  const bool gathers = stage == "all-gather";
  const nlohmann::json& table = report::published(gathers ? "BDU-6b" : "BDU-6a").value;
  const std::vector<Plan>& plans = planned("ring", "single-switch(5)", 5.0).plans;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const Step& does = plans[rank].lanes.front().at(gathers ? 4 : 0);
    if (does.sends.front().what.first != table.at(rank).at(0)) return false;
    if (does.recvs.front().where.first != table.at(rank).at(1)) return false;
  }
  return true;
}

/// A ring over a wiring of 4 leaves with 4 hosts each, in T_F; "scattered": every host beside one of
/// another leaf.
double ring_over_leaves(const std::string& wiring, const std::string& order) {
  const auto topology = topologies::make_topology(wiring);
  std::vector<Rank> ranks;
  for (std::size_t i = 0; order == "scattered" && i < 16; ++i) {
    ranks.push_back(Rank(i % 4 * 4 + i / 4));
  }
  const std::size_t elements = topology->hosts();
  std::vector<Plan> plans;
  for (std::size_t rank = 0; rank < topology->hosts(); ++rank) {
    plans.push_back(ringallreduce::plan(*topology, Rank(rank), elements, {.order = ranks}));
  }
  return topologies::step_bound(*topology, plans) / real(elements);
}

constexpr Formula kPlanFormulas[] = {
    {"two_t_f", as<two_t_f>},
    {"ring", as<ringallreduce::closed_form>},
    {"bml", as<bml::closed_form>},
    {"ps", as<ps>},
    {"ps_on_bcube", as<ps_on_bcube>},
    {"wiring", as<wiring>},
    {"neighbours", as<neighbours>},
    {"plan_t_f", as<plan_t_f>},
    {"step_load", as<step_load>},
    {"sent", as<sent>},
    {"port", as<port>},
    {"is_proven", as<is_proven>},
    {"uses_links_evenly", as<uses_links_evenly>},
    {"bml_pieces", as<bml_pieces>},
    {"follows_table", as<follows_table>},
    {"ring_over_leaves", as<ring_over_leaves>},
};

}  // namespace

std::span<const Formula> plan_formulas() {
  return kPlanFormulas;
}

}  // namespace gradwire::claims
