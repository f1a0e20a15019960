#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "simulator/flows.h"
#include "tests/simulator/in_child.h"
#include "tests/simulator/instances.h"
#include "tests/simulator/simgrid.h"
#include "topologies/topology.h"

/// What simulating costs: ours beside SimGrid's. Time is that of the simulation alone, measured in
/// a fresh process for each iteration on both sides, because SimGrid has one Engine per process.
/// Counters: what is being built before (build_s: routes, and SimGrid's platform) is not in the
/// time; memory is what the process' peak grew by; last_s is when the last flow ends, for both the
/// same.
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

}  // namespace

/// With GRADWIRE_BENCH_LARGE set also what takes SimGrid minutes: 16,256 flows that end one by one.
int main(int argc, char** argv) {
  compare_ps_push("fat-tree(4)", Shards::equal);
  compare_ps_push("fat-tree(4)", Shards::different);
  compare_ps_push("fat-tree(8)", Shards::equal);
  compare_ps_push("single-switch(256)", Shards::equal);
  if (std::getenv("GRADWIRE_BENCH_LARGE") != nullptr) {
    compare_ps_push("fat-tree(8)", Shards::different);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
