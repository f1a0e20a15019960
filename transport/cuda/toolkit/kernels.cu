// Compiled by nvcc, as C++17: CUDA 11 knows no later one.
#include <cstdint>

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include "transport/cuda/toolkit/kernels.h"

namespace gradwire::cuda {
namespace {

constexpr unsigned kThreads = 256;
/// Most blocks of a kernel, more than any GPU runs at a time; each goes on in strides.
constexpr unsigned kMostBlocks = 2048;
constexpr std::size_t kVectorBytes = 16;

/// Memory of a bfloat16. CUDA's own type cannot be computed with before sm_80.
struct Bfloat16 {
  std::uint16_t bits;
};

template <class T>
struct alignas(kVectorBytes) Vector {
  static constexpr std::size_t kElements = kVectorBytes / sizeof(T);
  T each[kElements];
};

/// Blocks that `threads` threads need.
unsigned blocks_for(std::size_t threads) {
  const std::size_t blocks = (threads + kThreads - 1) / kThreads;
  return blocks < kMostBlocks ? static_cast<unsigned>(blocks) : kMostBlocks;
}

__device__ std::size_t this_thread() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t all_threads() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__device__ float to_float(Bfloat16 number) {
  return __uint_as_float(static_cast<unsigned>(number.bits) << 16);
}
/// Rounds to nearest, ties to even; a NaN becomes a quiet NaN.
__device__ Bfloat16 to_bfloat16(float value) {
  const unsigned bits = __float_as_uint(value);
  const unsigned quiet = (bits >> 16) | 0x40U;
  const unsigned rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>(value != value ? quiet : rounded)};
}

template <class T>
__device__ T sum_of(T a, T b) {
  return a + b;
}
__device__ __half sum_of(__half a, __half b) {
  return __float2half_rn(__half2float(a) + __half2float(b));
}
__device__ Bfloat16 sum_of(Bfloat16 a, Bfloat16 b) {
  return to_bfloat16(to_float(a) + to_float(b));
}

/// Stores a whole number as an element of each type.
__device__ void put(std::uint64_t number, float& element) {
  element = static_cast<float>(static_cast<std::int32_t>(number));
}
__device__ void put(std::uint64_t number, double& element) {
  element = static_cast<double>(static_cast<std::int64_t>(number));
}
__device__ void put(std::uint64_t number, __half& element) {
  element = __float2half_rn(static_cast<float>(number));
}
__device__ void put(std::uint64_t number, Bfloat16& element) {
  element = to_bfloat16(static_cast<float>(number));
}
template <class T>
__device__ void put(std::uint64_t number, T& element) {
  element = static_cast<T>(number);
}

/// Whether two values are the same; a NaN never is.
template <class T>
__device__ bool same(T a, T b) {
  return a == b;
}
__device__ bool same(__half a, __half b) {
  return __half2float(a) == __half2float(b);
}
__device__ bool same(Bfloat16 a, Bfloat16 b) {
  return to_float(a) == to_float(b);
}

/// Adds in vectors. `head` elements lie before the first whole vector of both arrays.
template <class T>
__global__ void add_vectors(T* sums, const T* terms, std::size_t count, std::size_t head) {
  constexpr std::size_t kElements = Vector<T>::kElements;
  const std::size_t vectors = (count - head) / kElements;
  auto* const to = reinterpret_cast<Vector<T>*>(sums + head);
  const auto* const from = reinterpret_cast<const Vector<T>*>(terms + head);
  for (std::size_t v = this_thread(); v < vectors; v += all_threads()) {
    Vector<T> sum = to[v];
    const Vector<T> more = from[v];
    for (std::size_t i = 0; i < kElements; ++i) sum.each[i] = sum_of(sum.each[i], more.each[i]);
    to[v] = sum;
  }
  // What lies before the first and behind the last: fewer than two vectors of elements.
  const std::size_t loose = count - vectors * kElements;
  const std::size_t mine = this_thread();
  if (mine < loose) {
    const std::size_t i = mine < head ? mine : vectors * kElements + mine;
    sums[i] = sum_of(sums[i], terms[i]);
  }
}

template <class T>
__global__ void add_each(T* sums, const T* terms, std::size_t count) {
  for (std::size_t i = this_thread(); i < count; i += all_threads()) {
    sums[i] = sum_of(sums[i], terms[i]);
  }
}

template <class T, class Number>
__global__ void fill_all(T* elements, std::size_t begin, std::size_t count, Number number) {
  for (std::size_t i = this_thread(); i < count; i += all_threads()) {
    put(number(begin + i), elements[i]);
  }
}

template <class T, class Number>
__global__ void compare_all(const T* elements, std::size_t begin, std::size_t count, Number number,
                            Findings* findings) {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ULL;
  for (std::size_t i = this_thread(); i < count; i += all_threads()) {
    T expected;
    put(number(begin + i), expected);
    if (same(elements[i], expected)) continue;
    if (wrong++ == 0) first = begin + i;
  }
  if (wrong == 0) return;
  atomicAdd(&findings->count, wrong);
  atomicMin(&findings->first, first);
}

template <class T>
int add_as(void* sums, const void* terms, std::size_t count, StreamHandle stream) {
  auto* const to = static_cast<T*>(sums);
  const auto* const from = static_cast<const T*>(terms);
  const std::size_t over = reinterpret_cast<std::uintptr_t>(sums) % kVectorBytes;
  if (over != reinterpret_cast<std::uintptr_t>(terms) % kVectorBytes) {
    add_each<T><<<blocks_for(count), kThreads, 0, stream>>>(to, from, count);
    return cudaGetLastError();
  }
  const std::size_t before = over == 0 ? 0 : (kVectorBytes - over) / sizeof(T);
  const std::size_t head = before < count ? before : count;
  const std::size_t vectors = (count - head) / Vector<T>::kElements;
  const std::size_t loose = count - vectors * Vector<T>::kElements;
  const std::size_t threads = vectors < loose ? loose : vectors;
  add_vectors<T><<<blocks_for(threads), kThreads, 0, stream>>>(to, from, count, head);
  return cudaGetLastError();
}

/// Calls start(T{}, number) with the kernels' element type for T and the numbers of the run's type.
template <class T, class Number, class Start>
int with_number(const PatternRun& run, Start start) {
  const auto* const number = std::get_if<Number>(&run.number);
  return number == nullptr ? static_cast<int>(cudaErrorInvalidValue) : start(T{}, *number);
}
template <class T, class Start>
int with_narrow(const PatternRun& run, Start start) {
  if (std::holds_alternative<NarrowSum>(run.number)) return with_number<T, NarrowSum>(run, start);
  return with_number<T, NarrowShare>(run, start);
}
template <class Start>
int with_pattern(Dtype type, const PatternRun& run, Start start) {
  switch (type) {
    case Dtype::float32:
      return with_number<float, Number32>(run, start);
    case Dtype::float64:
      return with_number<double, Number64>(run, start);
    case Dtype::float16:
      return with_narrow<__half>(run, start);
    case Dtype::bfloat16:
      return with_narrow<Bfloat16>(run, start);
    case Dtype::int32:
      return with_number<std::uint32_t, Number64>(run, start);
    case Dtype::int64:
      return with_number<std::uint64_t, Number64>(run, start);
    case Dtype::byte:
      return with_number<std::uint8_t, Number64>(run, start);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

int start_add(Dtype type, void* sums, const void* terms, std::size_t count, StreamHandle stream) {
  if (count == 0) return cudaSuccess;
  switch (type) {
    case Dtype::float32:
      return add_as<float>(sums, terms, count, stream);
    case Dtype::float64:
      return add_as<double>(sums, terms, count, stream);
    case Dtype::float16:
      return add_as<__half>(sums, terms, count, stream);
    case Dtype::bfloat16:
      return add_as<Bfloat16>(sums, terms, count, stream);
    case Dtype::int32:
      return add_as<std::uint32_t>(sums, terms, count, stream);
    case Dtype::int64:
      return add_as<std::uint64_t>(sums, terms, count, stream);
    case Dtype::byte:
      break;
  }
  return cudaErrorInvalidValue;
}

int start_fill(Dtype type, void* elements, const PatternRun& run, StreamHandle stream) {
  const std::size_t count = run.end - run.begin;
  if (count == 0) return cudaSuccess;
  return with_pattern(type, run, [&](auto element, auto number) -> int {
    auto* const all = static_cast<decltype(element)*>(elements);
    fill_all<<<blocks_for(count), kThreads, 0, stream>>>(all, run.begin, count, number);
    return cudaGetLastError();
  });
}

int start_compare(Dtype type, const void* elements, const PatternRun& run, Findings* findings,
                  StreamHandle stream) {
  const std::size_t count = run.end - run.begin;
  if (count == 0) return cudaSuccess;
  return with_pattern(type, run, [&](auto element, auto number) -> int {
    const auto* const all = static_cast<const decltype(element)*>(elements);
    compare_all<<<blocks_for(count), kThreads, 0, stream>>>(all, run.begin, count, number,
                                                            findings);
    return cudaGetLastError();
  });
}

}  // namespace gradwire::cuda
