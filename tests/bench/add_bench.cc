#include <cstring>
#include <vector>

#include <benchmark/benchmark.h>

#include "transport/add.h"

/// The addition kernel beside what the machine's memory can do: adding reads two arrays and writes
/// one, as `triad` does; `copy` reads one and writes one.
namespace {

constexpr std::int64_t kArraysOfAdd = 3;
constexpr std::int64_t kArraysOfCopy = 2;

void set_bytes(benchmark::State& state, std::int64_t arrays) {
  state.SetBytesProcessed(state.iterations() * state.range(0) * arrays);
}

std::vector<float> floats(const benchmark::State& state) {
  return std::vector<float>(static_cast<std::size_t>(state.range(0)) / sizeof(float), 1.0F);
}

void add(benchmark::State& state) {
  auto sums = floats(state);
  const auto terms = floats(state);
  for (auto _ : state) {
    gradwire::transport::add(sums, terms);
    benchmark::ClobberMemory();
  }
  set_bytes(state, kArraysOfAdd);
}

void triad(benchmark::State& state) {
  auto a = floats(state);
  const auto b = floats(state);
  const auto c = floats(state);
  for (auto _ : state) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] + 3.0F * c[i];
    benchmark::ClobberMemory();
  }
  set_bytes(state, kArraysOfAdd);
}

void copy(benchmark::State& state) {
  auto to = floats(state);
  const auto from = floats(state);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), to.size() * sizeof(float));
    benchmark::ClobberMemory();
  }
  set_bytes(state, kArraysOfCopy);
}

/// From the first-level cache to memory.
void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t kib : {16, 256, 4096, 65536}) bench->Arg(kib * 1024);
}

BENCHMARK(add)->Apply(sizes);
BENCHMARK(triad)->Apply(sizes);
BENCHMARK(copy)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
