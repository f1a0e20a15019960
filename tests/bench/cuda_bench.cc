#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "core/dtype.h"
#include "ringallreduce/plan.h"
#include "tests/bench/drive.h"
#include "tests/transport/device/staged_transport.h"
#include "topologies/registry.h"
#include "transport/cuda/open.h"
#include "transport/device/device.h"
#include "transport/device/stand_in.h"

/// Gradients in the memory of a GPU: cuda_bench [--stand-in] [options of Google Benchmark]
///
///     add          the kernel, which reads two arrays and writes one
///     copy_within  from one place of the GPU's memory to another: what add can reach at most
///     copy_out, copy_in     to and from pinned memory: what the bus carries
///     all_reduce   two ranks of this process, over TCP on the loopback interface: staged, and beside it
///                  the same in the host's memory, without the copies and with the host's addition
///
/// Where there is no GPU each figure says that it was not run. With --stand-in they are those of a device
/// without hardware, and say nothing of any GPU.
namespace {

using namespace gradwire;
using transport::device::Device;
using transport::device::DeviceMemory;
using transport::device::Stream;

/// What all benchmarks run on, from the beginning of main() on.
std::unique_ptr<Device> the_device;  // NOLINT: benchmarks are functions of nothing else
std::string why_none;                // NOLINT

/// Whether there is a device; else the figure says why it was not run.
bool is_there(benchmark::State& state) {
  if (!the_device) state.SkipWithError(("NOT RUN: " + why_none).c_str());
  return the_device != nullptr;
}

std::size_t elements_of(const benchmark::State& state, Dtype type) {
  return static_cast<std::size_t>(state.range(0)) / size_of(type);
}

/// Times so many of `work` at once, and waits for them: one alone would be lost in starting it.
template <class Work>
void time_stream(benchmark::State& state, std::int64_t bytes_each, const Work& work) {
  constexpr std::int64_t kAtOnce = 20;
  const auto stream = the_device->make_stream(0);
  work(*stream);
  stream->synchronize();
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kAtOnce; ++i) work(*stream);
    stream->synchronize();
  }
  state.SetBytesProcessed(state.iterations() * kAtOnce * bytes_each);
}

void add(benchmark::State& state, Dtype type) {
  if (!is_there(state)) return;
  const DeviceMemory sums = the_device->allocate(type, elements_of(state, type));
  const DeviceMemory terms = the_device->allocate(type, elements_of(state, type));
  time_stream(state, 3 * state.range(0),
              [&](Stream& stream) { stream.add(sums.elements, terms.elements); });
}

void copy_within(benchmark::State& state) {
  if (!is_there(state)) return;
  const DeviceMemory to = the_device->allocate(Dtype::float32, elements_of(state, Dtype::float32));
  const DeviceMemory from =
      the_device->allocate(Dtype::float32, elements_of(state, Dtype::float32));
  time_stream(state, 2 * state.range(0),
              [&](Stream& stream) { stream.copy_within(to.elements, from.elements); });
}

void copy_out(benchmark::State& state) {
  if (!is_there(state)) return;
  const auto count = elements_of(state, Dtype::float32);
  const DeviceMemory from = the_device->allocate(Dtype::float32, count);
  const auto to = the_device->allocate_pinned(Dtype::float32, count);
  time_stream(state, state.range(0),
              [&](Stream& stream) { stream.copy_out(to.elements, from.elements); });
}

void copy_in(benchmark::State& state) {
  if (!is_there(state)) return;
  const auto count = elements_of(state, Dtype::float32);
  const auto from = the_device->allocate_pinned(Dtype::float32, count);
  const DeviceMemory to = the_device->allocate(Dtype::float32, count);
  time_stream(state, state.range(0),
              [&](Stream& stream) { stream.copy_in(to.elements, from.elements); });
}

/// Over TCP, staged as workers do it.
struct StagedTcp : transport::device::Staged<transport::testing::Tcp> {
  explicit StagedTcp(std::size_t ranks) : Staged(ranks, *the_device) { options = {}; }
};

template <class Transport>
void all_reduce(benchmark::State& state) {
  if (!is_there(state)) return;
  const std::size_t elements = elements_of(state, Dtype::float32);
  const auto topology = topologies::make_topology("single-switch(2)");
  const std::vector<Plan> plans = {ringallreduce::plan(*topology, Rank(0), elements),
                                   ringallreduce::plan(*topology, Rank(1), elements)};
  bench::drive<Transport>(state, plans, elements);
}

void register_all() {
  const auto sizes = [](benchmark::internal::Benchmark* bench) {
    for (const std::int64_t kib : {512, 16 * 1024, 64 * 1024}) bench->Arg(kib * 1024);
    bench->UseRealTime();
  };
  for (const Dtype type : {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float64,
                           Dtype::int32, Dtype::int64}) {
    sizes(benchmark::RegisterBenchmark(fmt::format("add/{}", to_string(type)).c_str(), add, type));
  }
  sizes(benchmark::RegisterBenchmark("copy_within", copy_within));
  sizes(benchmark::RegisterBenchmark("copy_out", copy_out));
  sizes(benchmark::RegisterBenchmark("copy_in", copy_in));
  sizes(benchmark::RegisterBenchmark("all_reduce/staged", all_reduce<StagedTcp>));
  sizes(benchmark::RegisterBenchmark("all_reduce/host", all_reduce<transport::testing::Tcp>));
}

void find_device(bool stand_in) {
  if (stand_in) {
    the_device =
        std::make_unique<transport::device::StandInDevice>(transport::device::Pace::beside);
    fmt::print("Figures of a stand-in: they say nothing of any GPU.\n");
    return;
  }
  try {
    the_device = cuda::open_device();
    fmt::print("{}\n", cuda::describe_gpu());
  } catch (const transport::device::DeviceError& error) {
    why_none = error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool stand_in = false;
  std::vector<char*> arguments;
  for (char* const argument : std::span(argv, static_cast<std::size_t>(argc))) {
    const bool is_ours = std::string_view(argument) == "--stand-in";
    stand_in = stand_in || is_ours;
    if (!is_ours) arguments.push_back(argument);
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  find_device(stand_in);
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  the_device.reset();
  return 0;
}
