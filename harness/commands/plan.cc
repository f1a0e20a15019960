#include "harness/commands/plan.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/amount.h"
#include "collectives/algorithms/collectives.h"
#include "collectives/algorithms/dense.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/ring_order.h"
#include "core/count.h"
#include "core/error.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/experiment/experiment.h"
#include "results/record/configuration.h"
#include "topologies/cut.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"
#include "topologies/sizes.h"
#include "topologies/topology.h"
#include "workloads/dense.h"

namespace gradwire::commands {
namespace {

struct PlanRequest {
  std::string algorithm;
  std::string wiring;
  std::string workload;
  std::size_t elements = 0;
  std::size_t rank = 0;
  bool exports = false;
};

std::string text(const Extent& extent) {
  return fmt::format("[{}, {})", extent.first, extent.end());
}

void print_step(const topologies::Topology& topology, const Step& step) {
  const auto name = [&topology](Rank rank) {
    return fmt::format("{} ({})", rank.index(), topology.label(topology.host(rank)));
  };
  for (const Send& send : step.sends) {
    fmt::print("    send     to   {:14} port {} -> {}  {}\n", name(send.to.rank),
               send.to.via.index(), send.to.at.index(), text(send.what));
  }
  for (const Recv& recv : step.recvs) {
    fmt::print("    receive  from {:14} port {} <- {}  {} {}\n", name(recv.from.rank),
               recv.from.via.index(), recv.from.at.index(), text(recv.where),
               recv.how == Combine::add ? "add" : "replace");
  }
}

void print_plan(const topologies::Topology& topology, const Plan& plan) {
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    for (std::size_t step = 0; step < plan.lanes[lane].size(); ++step) {
      fmt::print("lane {} step {}\n", lane, step);
      print_step(topology, plan.lanes[lane][step]);
    }
  }
  const std::vector<PortCount> ports = count_ports(plan);
  for (std::size_t port = 0; port < ports.size(); ++port) {
    fmt::print("# port {}: sends {} B, receives {} B\n", port, ports[port].sent * sizeof(float),
               ports[port].received * sizeof(float));
  }
}

/// Prints an all-reduce, which is named as in experiments.
int run_algorithm(const PlanRequest& request, const algorithms::Algorithm& algorithm,
                  const algorithms::Amount& amount) {
  const topologies::Topology& topology = algorithm.topology();
  const Goal goal = algorithm.goal(amount);
  algorithm.check_size(amount, {.plans = 1});
  const Plan plan = algorithm.plan(Rank(request.rank), amount);
  fmt::print("# {} on {}, {} elements, rank {} ({}){}\n", request.algorithm, topology.name(),
             amount.elements, request.rank, topology.label(NodeId(request.rank)),
             goal.begins[request.rank].empty() ? ", parameter server only" : "");
  print_plan(topology, plan);
  if (topology.hosts() > algorithms::kMostProven) {
    fmt::print("# more than {} hosts: not checked with the Plans of the other ranks\n",
               algorithms::kMostProven);
    return kExitOk;
  }
  const auto plans = algorithm.proven_plans(amount);
  if (amount.elements > 0) {
    fmt::print("# all ranks checked: every sum is complete; bound {:.4f} T_F\n",
               topologies::least_time(topology, plans) / static_cast<double>(amount.elements));
  }
  return kExitOk;
}

/// The elements that a rank begins or ends with: "20 elements in 4 extents".
std::string sum_of(const std::vector<Extent>& extents) {
  std::size_t elements = 0;
  for (const Extent& extent : extents) elements += extent.count;
  return fmt::format("{} elements{}", elements,
                     extents.size() > 1 ? fmt::format(" in {} extents", extents.size()) : "");
}

/// Prints a collective with any other goal.
int run_collective(const PlanRequest& request, const algorithms::Algorithm& algorithm,
                   const algorithms::Amount& amount) {
  const topologies::Topology& topology = algorithm.topology();
  const Goal goal = algorithm.goal(amount);
  fmt::print("# {} on {}, {} elements, rank {} ({}): begins with {}, ends with {}\n",
             algorithm.name(), topology.name(), amount.elements, request.rank,
             topology.label(NodeId(request.rank)), sum_of(goal.begins[request.rank]),
             sum_of(goal.ends[request.rank]));
  const std::vector<Plan> plans = algorithm.proven_plans(amount);
  print_plan(topology, plans[request.rank]);
  const topologies::CutBound least = topologies::cut_bound(topology, goal);
  const auto all = static_cast<double>(amount.elements);
  fmt::print("# all ranks checked: the goal is reached; bound {:.4f} T_F\n",
             topologies::least_time(topology, plans) / all);
  fmt::print("# nothing is faster here than {:.4f} T_F: {}\n", least.t_f / all, least.cut);
  return kExitOk;
}

/// Exports all ranks' Plans to a file. It has enough chunks for algorithms that cut the gradient
/// for each rank and port.
int run_export(const PlanRequest& request, const algorithms::Algorithm& algorithm) {
  const topologies::Topology& topology = algorithm.topology();
  const std::size_t otherwise = topology.hosts() * topology.ports_per_host();
  const std::size_t chunks = request.elements == 0 ? otherwise : request.elements;
  fmt::print("{}", algorithm.plan_text(chunks));
  return kExitOk;
}

int run_plan(const PlanRequest& request) {
  const auto topology = topologies::make_topology(request.wiring);
  if (request.rank >= topology->hosts()) {
    throw InputError(fmt::format("{} has no rank {}", topology->name(), request.rank));
  }
  const text::Spec spec =
      algorithms::with_order_read(text::parse_spec(request.algorithm), {}, topology->hosts());
  const workloads::Workload workload =
      workloads::parse_workload(request.workload, request.elements);
  const algorithms::Algorithm algorithm = algorithms::parse_algorithm(spec, *topology, workload);
  if (request.exports) return run_export(request, algorithm);
  const algorithms::Amount amount = algorithm.amount_of(workload);
  const bool is_plain = !algorithms::is_collective(spec) && algorithm.is_all_reduce();
  return is_plain ? run_algorithm(request, algorithm, amount)
                  : run_collective(request, algorithm, amount);
}

/// The help on collectives, a line each, with its ways.
std::string collectives_help() {
  std::string text = "An ALGORITHM can also be a collective and a way to reach it:\n";
  std::string_view last;
  for (const algorithms::CollectiveWay& way : algorithms::collective_ways()) {
    if (way.collective != last) {
      text += fmt::format("{}  {}(", last.empty() ? "" : ")\n", way.collective);
    } else {
      text += ", ";
    }
    text += way.way;
    last = way.collective;
  }
  return text +
         ")\nbroadcast and reduce take root=, their chain pieces=, send takes to=,\n"
         "and all-to-all counts=, a file with a number for each pair of ranks.\n"
         "Groups of ranks run collectives beside each other: grid(4x2, rows=all-gather, "
         "columns=ring)\n"
         "or groups(ranks=0-3+8:4-7, run=all-gather).\n";
}

}  // namespace

void add_plan_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("plan", "Prints one rank's lanes and steps, and the bytes per port");
  auto request = std::make_shared<PlanRequest>();
  command
      ->add_option("algorithm", request->algorithm,
                   "algorithm, such as ring, ps(servers=2) or all-gather(bruck)")
      ->required()
      ->type_name("ALGORITHM");
  command->add_option("wiring", request->wiring, "wiring, such as bcube(3,2)")
      ->required()
      ->type_name("WIRING");
  command->add_option("--rank", request->rank, "whose Plan")
      ->capture_default_str()
      ->transform(whole_number(0, topologies::kMaxHosts - 1));
  auto* elements =
      command->add_option("--elements", request->elements, "number of float32 elements")
          ->transform(whole_number(1, experiment::kMaxElements));
  auto* workload =
      command->add_option("--workload", request->workload, "a model's gradients; default: lenet5")
          ->type_name("WORKLOAD");
  command->footer([names = names_footer({"ALGORITHM", "WIRING", "WORKLOAD"})] {
    return collectives_help() + names();
  });
  elements->excludes(workload);
  command
      ->add_flag("--export", request->exports,
                 "print the Plans of all ranks as a plan file, each of --elements a chunk")
      ->excludes(workload);
  command->callback([request, &exit_code] {
    if (request->workload.empty() && request->elements == 0) request->workload = "lenet5";
    exit_code = run_plan(*request);
  });
}

}  // namespace gradwire::commands
