#include <vector>

#include <benchmark/benchmark.h>

#include "bml/plan.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/bench/drive.h"
#include "tests/transport/rank_group.h"
#include "topologies/bcube.h"
#include "topologies/registry.h"

/// What executing a Plan costs when the wire costs nothing: four ranks of one process, over memory
/// and over TCP on the loopback interface, with and without checks of frames. bytes/s counts the
/// gradient once (algbw).
namespace {

using namespace gradwire;
using transport::testing::Loopback;
using transport::testing::Tcp;
using transport::testing::TcpUnchecked;

constexpr std::size_t kRanks = 4;

std::vector<Plan> ring(std::size_t elements) {
  const auto topology = topologies::make_topology("single-switch(4)");
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kRanks; ++i) {
    plans.push_back(ringallreduce::plan(*topology, Rank(i), elements));
  }
  return plans;
}

std::vector<Plan> ps(std::size_t elements) {
  const auto topology = topologies::make_topology("single-switch(4)");
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kRanks; ++i) {
    plans.push_back(gradwire::ps::plan(*topology, Rank(i), elements));
  }
  return plans;
}

std::vector<Plan> bml(std::size_t elements) {
  const topologies::BCube wiring(2, 2);
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kRanks; ++i) {
    plans.push_back(gradwire::bml::plan(wiring, Rank(i), elements));
  }
  return plans;
}

template <class Transport, std::vector<Plan> (*make_plans)(std::size_t)>
void execute(benchmark::State& state) {
  const auto elements = static_cast<std::size_t>(state.range(0)) / sizeof(float);
  bench::drive<Transport>(state, make_plans(elements), elements);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t kib : {4, 256, 12800}) bench->Arg(kib * 1024);
  bench->UseRealTime();
}

BENCHMARK_TEMPLATE(execute, Loopback, ring)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, Loopback, ps)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, Loopback, bml)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, Tcp, ring)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, Tcp, ps)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, Tcp, bml)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, TcpUnchecked, ring)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, TcpUnchecked, ps)->Apply(sizes);
BENCHMARK_TEMPLATE(execute, TcpUnchecked, bml)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
