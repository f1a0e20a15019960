#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "schedule/optimum.h"

/// What planning costs: GoogLeNet's 64 layers, the 161 and 604 tensors of ResNet-50 and
/// DenseNet-201. A job plans once; the plan must be ready before its first iteration ends.
namespace {

using namespace gradwire;
using schedule::Affine;
using schedule::BackwardPass;
using schedule::Cost;

/// Tensors from 256 B to 16 MiB that become ready within 200 ms.
BackwardPass pass_of(const benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::mt19937_64 random(size);
  std::uniform_real_distribution<double> exponent(8, 24);
  BackwardPass pass{.end = Seconds(0.1)};
  for (std::size_t i = 0; i < size; ++i) {
    pass.end += Seconds(0.2 / static_cast<double>(size));
    pass.gradients.push_back({pass.end, std::floor(std::exp2(exponent(random)))});
  }
  return pass;
}

/// MG-WFBP's first cluster (TPDS Fig. 4).
const Affine kLine{.a = Seconds(9.72e-4), .b = 1.97e-9};

/// 20 sizes from 256 B to 128 MiB.
Cost table() {
  std::vector<schedule::TimedSize> points;
  for (double bytes = 256; points.size() < 20; bytes *= 2) {
    points.push_back({bytes, kLine.at(bytes) * (1 + 0.3 * std::sin(bytes))});
  }
  return schedule::CostTable(std::move(points));
}

template <class Policy>
void plan(benchmark::State& state, Policy policy) {
  const BackwardPass pass = pass_of(state);
  std::size_t buckets = 0;
  for (auto _ : state) {
    const schedule::Schedule planned = policy(pass);
    benchmark::DoNotOptimize(planned.buckets.data());
    buckets = planned.buckets.size();
  }
  state.counters["buckets"] = static_cast<double>(buckets);
}

void optimum_affine(benchmark::State& state) {
  plan(state, [](const BackwardPass& pass) { return schedule::optimum_affine(pass, kLine); });
}

void optimum_of_line(benchmark::State& state) {
  plan(state, [](const BackwardPass& pass) { return schedule::optimum(pass, kLine); });
}

void optimum_of_table(benchmark::State& state) {
  plan(state, [cost = table()](const BackwardPass& pass) { return schedule::optimum(pass, cost); });
}

void mg_wfbp(benchmark::State& state) {
  plan(state, [](const BackwardPass& pass) { return schedule::mg_wfbp(pass, kLine); });
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t gradients : {64, 161, 604}) bench->Arg(gradients);
  bench->Unit(benchmark::kMicrosecond);
}

BENCHMARK(optimum_affine)->Apply(sizes);
BENCHMARK(optimum_of_line)->Apply(sizes);
BENCHMARK(optimum_of_table)->Apply(sizes);
BENCHMARK(mg_wfbp)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
