#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bml/plan.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "simulator/fabric.h"
#include "simulator/flows.h"
#include "simulator/simulation.h"
#include "simulator/symmetry.h"
#include "tests/simulator/in_child.h"
#include "tests/simulator/instances.h"
#include "tests/simulator/simgrid.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

/// What simulating costs: ours beside SimGrid's. Time is that of the simulation alone, measured in
/// a fresh process for each iteration on both sides, because SimGrid has one Engine per process.
/// Counters: what is being built before (build_s: routes, and SimGrid's platform) is not in the
/// time; memory is what the process' peak grew by; last_s is when the last flow ends, for both the
/// same.
///
/// Plans (plans/...): the time is all that a prediction takes, planning included, and for one rank
/// for all also that the ranks are found alike; plan_s, alike_s and run_s are its parts, and cpu_s
/// is what the processor was busy with it. rates are those that flows were given at an event, on
/// average. With both, whole_s and folded_s are the predictions, which must be equal.
namespace {

using namespace gradwire;
using simulator::testing::Instance;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One simulation of `instance`.
struct Run {
  double build = 0;   ///< wall seconds, beyond the instance
  double run = 0;     ///< wall seconds
  double memory = 0;  ///< bytes
  double last = 0;    ///< simulated seconds
};

Run run_ours(const Instance& instance) {
  const std::vector<double> run = simulator::testing::in_child([&]() -> std::vector<double> {
    const double before = simulator::testing::peak_memory();
    const auto start = std::chrono::steady_clock::now();
    const auto times = simulator::completion_times(instance.capacities, instance.flows);
    const double took = seconds_since(start);
    return {took, simulator::testing::peak_memory() - before, std::ranges::max(times)};
  });
  return {.run = run.at(0), .memory = run.at(1), .last = run.at(2)};
}

Run run_simgrid(const Instance& instance) {
  const auto run = simulator::testing::simgrid_run(instance.capacities, instance.flows);
  return {run.build, run.run, run.memory, std::ranges::max(run.times)};
}

using Simulator = Run (*)(const Instance&);

void simulate(benchmark::State& state, Simulator simulator, const Instance& instance,
              double routing) {
  Run last;
  for (auto _ : state) {
    last = simulator(instance);
    state.SetIterationTime(last.run);
  }
  const auto flows = static_cast<double>(instance.flows.size());
  state.counters["flows"] = flows;
  state.counters["flows_per_second"] = benchmark::Counter(
      flows, benchmark::Counter::kIsIterationInvariant | benchmark::Counter::kIsRate);
  state.counters["build_s"] = routing + last.build;
  state.counters["memory"] = benchmark::Counter(last.memory, benchmark::Counter::kDefaults,
                                                benchmark::Counter::OneK::kIs1024);
  state.counters["last_s"] = last.last;
}

/// What every rank pushes to every other one. Different bytes make every flow end alone.
enum class Shards { equal, different };

template <Simulator simulator>
void ps_push(benchmark::State& state, const std::string& wiring, Shards shards) {
  const auto start = std::chrono::steady_clock::now();
  const auto topology = topologies::make_topology(wiring);
  simulator::testing::Draws draws(topology->hosts());
  const Instance instance = simulator::testing::ps_push(
      *topology, [&](Rank, Rank) { return shards == Shards::equal ? 1e6 : draws.bytes(); });
  simulate(state, simulator, instance, seconds_since(start));
}

/// Both simulators on the same flows, one after the other.
void compare_ps_push(const std::string& wiring, Shards shards) {
  const std::string name =
      "ps_push/" + wiring + (shards == Shards::equal ? "/equal/" : "/different/");
  const auto add = [&](const char* who, auto body) {
    benchmark::RegisterBenchmark((name + who).c_str(), body, wiring, shards)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("ours", ps_push<run_ours>);
  add("simgrid", ps_push<run_simgrid>);
}

/// A link of 10 Gbit/s.
constexpr simulator::NetworkModel kModel{.rate = 1.25e9};

/// Who is simulated.
enum class Who { whole, folded, both };

/// A synchronization whose Plans are made and simulated.
struct Synchronization {
  std::string algorithm;  ///< bml, ps or ring
  std::string wiring;
  std::size_t elements = 0;
  Who who = Who::whole;
};

Plan plan(const Synchronization& what, const topologies::Topology& topology, Rank rank) {
  if (what.algorithm == "ps") return ps::plan(topology, rank, what.elements);
  if (what.algorithm == "ring") return ringallreduce::plan(topology, rank, what.elements);
  return bml::plan(topology, rank, what.elements);
}

/// As the program does: all Plans are compared where the algorithm says nothing.
void require_alike(const Synchronization& what, const topologies::Topology& topology) {
  const auto plan_of = [&](Rank rank) { return plan(what, topology, rank); };
  const auto says_so = what.algorithm == "ps" ? ps::ranks_are_alike(topology, what.elements)
                       : what.algorithm == "ring"
                           ? ringallreduce::ranks_are_alike(topology, what.elements)
                           : bml::ranks_are_alike(topology, what.elements);
  if (says_so) return simulator::check_alike(topology, plan_of);
  if (!simulator::is_symmetric(topology, plan_of)) {
    throw std::runtime_error("the ranks are not alike");
  }
}

/// Wall seconds of the parts, and what came out.
struct Prediction {
  double planning = 0;
  double comparing = 0;
  double simulating = 0;
  double busy = 0;  ///< CPU seconds of all parts
  double flows = 0;
  double events = 0;
  double rates = 0;
  double end = 0;  ///< simulated seconds
};

double busy_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Prediction predict(const Synchronization& what, const topologies::Topology& topology,
                   const simulator::Fabric& fabric, bool folded) {
  Prediction result;
  const double busy_before = busy_seconds();
  auto start = std::chrono::steady_clock::now();
  if (folded) {
    require_alike(what, topology);
    result.comparing = seconds_since(start);
    start = std::chrono::steady_clock::now();
  }
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < fabric.actors(); ++i) plans.push_back(plan(what, topology, Rank(i)));
  result.planning = seconds_since(start);
  start = std::chrono::steady_clock::now();
  const simulator::Outcome outcome = simulator::simulate(fabric, std::move(plans), kModel);
  result.simulating = seconds_since(start);
  result.busy = busy_seconds() - busy_before;
  result.flows = static_cast<double>(outcome.flows);
  result.events = static_cast<double>(outcome.events);
  result.rates = static_cast<double>(outcome.rates);
  result.end = outcome.end_of(0);
  return result;
}

/// In a fresh process: the prediction, and by how much memory grew.
std::pair<Prediction, double> predict_in_child(const Synchronization& what, bool folded) {
  const std::vector<double> run = simulator::testing::in_child([&]() -> std::vector<double> {
    const auto topology = topologies::make_topology(what.wiring);
    const double before = simulator::testing::peak_memory();
    const Prediction p = folded
                             ? predict(what, *topology, simulator::FoldedFabric(*topology), true)
                             : predict(what, *topology, simulator::WholeFabric(*topology), false);
    const double memory = simulator::testing::peak_memory() - before;
    return {p.planning, p.comparing, p.simulating, p.busy, p.flows,
            p.events,   p.rates,     p.end,        memory};
  });
  return {{.planning = run.at(0),
           .comparing = run.at(1),
           .simulating = run.at(2),
           .busy = run.at(3),
           .flows = run.at(4),
           .events = run.at(5),
           .rates = run.at(6),
           .end = run.at(7)},
          run.at(8)};
}

void report(benchmark::State& state, const Prediction& prediction, double memory) {
  state.counters["flows"] = prediction.flows;
  state.counters["flows_per_second"] = prediction.flows / prediction.simulating;
  state.counters["plan_s"] = prediction.planning;
  state.counters["alike_s"] = prediction.comparing;
  state.counters["run_s"] = prediction.simulating;
  state.counters["cpu_s"] = prediction.busy;
  state.counters["events"] = prediction.events;
  state.counters["rates"] = prediction.rates / prediction.events;
  state.counters["memory"] =
      benchmark::Counter(memory, benchmark::Counter::kDefaults, benchmark::Counter::OneK::kIs1024);
}

void simulate_plans(benchmark::State& state, const Synchronization& what) {
  for (auto _ : state) {
    double total = 0;
    for (const bool folded : {true, false}) {
      if (what.who == (folded ? Who::whole : Who::folded)) continue;
      const auto [prediction, memory] = predict_in_child(what, folded);
      total += prediction.planning + prediction.comparing + prediction.simulating;
      report(state, prediction, memory);  // with both, of the whole
      state.counters[folded ? "folded_s" : "whole_s"] = prediction.end;
    }
    state.SetIterationTime(total);
  }
}

void add_plans(const Synchronization& what) {
  const char* who = what.who == Who::both     ? "/folded_and_whole"
                    : what.who == Who::folded ? "/folded"
                                              : "/whole";
  benchmark::RegisterBenchmark(("plans/" + what.algorithm + "/" + what.wiring + who).c_str(),
                               simulate_plans, what)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

}  // namespace

/// With GRADWIRE_BENCH_LARGE set also what takes SimGrid minutes: 16,256 flows that end one by one.
/// And Plans of up to 65,536 hosts, for which a million flows are carried in a few GB.
int main(int argc, char** argv) {
  compare_ps_push("fat-tree(4)", Shards::equal);
  compare_ps_push("fat-tree(4)", Shards::different);
  compare_ps_push("fat-tree(8)", Shards::equal);
  compare_ps_push("single-switch(256)", Shards::equal);
  add_plans({"ps", "fat-tree(8)", 98'304'000, Who::whole});
  add_plans({"bml", "bcube(8,3)", 98'304'000, Who::both});
  if (std::getenv("GRADWIRE_BENCH_LARGE") != nullptr) {
    compare_ps_push("fat-tree(8)", Shards::different);
    add_plans({"ps", "fat-tree(16)", 98'304'000, Who::whole});
    add_plans({"ps", "fat-tree(12, ecmp)", 98'304'192, Who::whole});
    add_plans({"ps", "fat-tree(16, ecmp)", 98'304'000, Who::whole});
    add_plans({"ring", "single-switch(1024)", 98'304'000, Who::whole});
    add_plans({"ring", "single-switch(1024)", 98'304'000, Who::folded});
    add_plans({"bml", "bcube(16,4)", 98'304'000, Who::folded});
    add_plans({"ps", "single-switch(1024)", 98'304'000, Who::folded});
    add_plans({"bml", "bcube(16,3)", 98'304'000, Who::both});
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
