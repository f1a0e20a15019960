#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/plan.h"
#include "tests/bench/drive.h"
#include "tests/transport/rank_group.h"

/// What one RDMA link carries: rank 0 sends to rank 1 over the ports that GRADWIRE_RDMA_PORTS names
/// (and, if they are in namespaces, GRADWIRE_RDMA_NAMESPACES). bytes/s counts the gradient, until
/// all of it is acknowledged. To compare with: ib_write_bw with messages of 256 KiB.
namespace {

using namespace gradwire;
using transport::testing::Verbs;
using transport::testing::VerbsPolling;

std::vector<Plan> one_way(std::size_t elements, Combine how) {
  const Extent all{0, elements};
  const auto peer = [](std::size_t rank) { return Peer{Rank(rank), Port(0), Port(0)}; };
  std::vector<Plan> plans(2);
  plans[0].lanes = {{Step{.sends = {{peer(1), all}}}}};
  plans[1].lanes = {{Step{.recvs = {{peer(0), all, how}}}}};
  return plans;
}

std::vector<Plan> both_ways(std::size_t elements, Combine how) {
  const Extent lower{0, elements};
  const Extent upper{elements, elements};
  const auto peer = [](std::size_t rank) { return Peer{Rank(rank), Port(0), Port(0)}; };
  std::vector<Plan> plans(2);
  plans[0].lanes = {{Step{.sends = {{peer(1), lower}}, .recvs = {{peer(1), upper, how}}}}};
  plans[1].lanes = {{Step{.sends = {{peer(0), upper}}, .recvs = {{peer(0), lower, how}}}}};
  return plans;
}

template <class Transport, std::vector<Plan> (*make_plans)(std::size_t, Combine), Combine how>
void transfer(benchmark::State& state) {
  if (const std::string missing = Transport::missing(); !missing.empty()) {
    return state.SkipWithError(missing.c_str());
  }
  const auto elements = static_cast<std::size_t>(state.range(0)) / sizeof(float);
  bench::drive<Transport>(state, make_plans(elements, how), 2 * elements);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t kib : {4, 256, 10240}) bench->Arg(kib * 1024);
  bench->UseRealTime();
}

BENCHMARK_TEMPLATE(transfer, Verbs, one_way, Combine::replace)->Apply(sizes);
BENCHMARK_TEMPLATE(transfer, Verbs, one_way, Combine::add)->Apply(sizes);
BENCHMARK_TEMPLATE(transfer, Verbs, both_ways, Combine::add)->Apply(sizes);
BENCHMARK_TEMPLATE(transfer, VerbsPolling, one_way, Combine::add)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
