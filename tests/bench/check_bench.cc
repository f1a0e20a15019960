#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "bml/plan.h"
#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/direct.h"
#include "collectives/halving_doubling.h"
#include "collectives/member.h"
#include "collectives/ring.h"
#include "core/goal.h"
#include "core/plan_check.h"
#include "ps/plan.h"
#include "topologies/registry.h"

/// What proving costs: the Plans of 256 ranks, of which each point of a run is proven once.
namespace {

using namespace gradwire;
using collectives::Member;

constexpr std::size_t kRanks = 256;
constexpr std::size_t kElements = kRanks * kRanks * 64;

/// Times check_plans alone.
template <class MakePlan>
void prove(benchmark::State& state, const char* wiring, const Goal& goal,
           const MakePlan& make_plan) {
  const auto topology = topologies::make_topology(wiring);
  const Group group = collectives::everyone(*topology);
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kRanks; ++i) {
    plans.push_back(make_plan(Member{.topology = *topology, .group = group, .place = i}));
  }
  for (auto _ : state) {
    const auto findings = check_plans(plans, goal);
    if (!findings.empty()) state.SkipWithError(findings.front().c_str());
  }
}

constexpr const char* kSwitch = "single-switch(256)";

void all_reduce_bml(benchmark::State& state) {
  prove(state, "bcube(4,4)", all_reduce(kRanks, kElements),
        [](const Member& self) { return bml::plan(self.topology, self.rank(), kElements); });
}
void all_reduce_ps(benchmark::State& state) {
  prove(state, kSwitch, all_reduce(kRanks, kElements),
        [](const Member& self) { return ps::plan(self.topology, self.rank(), kElements); });
}
void all_reduce_halving_doubling(benchmark::State& state) {
  prove(state, kSwitch, all_reduce(kRanks, kElements), [](const Member& self) {
    return collectives::halving_doubling::plan(self.topology, self.rank(), kElements);
  });
}
void reduce_scatter_ring(benchmark::State& state) {
  const Parts parts = equal_parts(kRanks, kElements);
  prove(state, kSwitch, reduce_scatter(parts),
        [&](const Member& self) { return collectives::ring::reduce_scatter(self, parts); });
}
void all_gather_bruck(benchmark::State& state) {
  const std::vector<std::size_t> sizes(kRanks, kElements / kRanks);
  prove(state, kSwitch, all_gather(parts_of(sizes)),
        [&](const Member& self) { return collectives::bruck::all_gather(self, sizes); });
}
void broadcast_binomial(benchmark::State& state) {
  prove(state, kSwitch, broadcast(kRanks, kElements, Rank(0)),
        [](const Member& self) { return collectives::binomial::broadcast(self, kElements, 0); });
}
void all_to_all_direct(benchmark::State& state) {
  const Goal goal = all_to_all(kRanks, kElements);
  prove(state, kSwitch, goal,
        [&](const Member& self) { return collectives::direct::plan(self, goal); });
}
void all_to_all_pairwise(benchmark::State& state) {
  const Goal goal = all_to_all(kRanks, kElements);
  prove(state, kSwitch, goal,
        [&](const Member& self) { return collectives::direct::pairwise(self, goal); });
}

}  // namespace

BENCHMARK(all_reduce_bml)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce_ps)->Unit(benchmark::kMillisecond);
BENCHMARK(all_reduce_halving_doubling)->Unit(benchmark::kMillisecond);
BENCHMARK(reduce_scatter_ring)->Unit(benchmark::kMillisecond);
BENCHMARK(all_gather_bruck)->Unit(benchmark::kMillisecond);
BENCHMARK(broadcast_binomial)->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_direct)->Unit(benchmark::kMillisecond);
BENCHMARK(all_to_all_pairwise)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
