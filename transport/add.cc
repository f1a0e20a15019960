#include "transport/add.h"

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/error.h"
#include "core/half.h"

namespace gradwire::transport {
namespace {

template <class T>
[[gnu::always_inline]] inline void add_to(T& sum, T term) {
  sum += term;
}
[[gnu::always_inline]] inline void add_to(Float16& sum, Float16 term) {
  sum = to_float16(to_float(sum) + to_float(term));
}
[[gnu::always_inline]] inline void add_to(Bfloat16& sum, Bfloat16 term) {
  sum = to_bfloat16(to_float(sum) + to_float(term));
}

// One loop, compiled twice: the compiler vectorizes it for the instruction set of its caller. Whole
// numbers are added as unsigned ones, which wrap.
template <class T>
[[gnu::always_inline]] inline void add_loop(T* __restrict sums, const T* __restrict terms,
                                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_to(sums[i], terms[i]);
}

template <class T>
[[gnu::optimize("O3")]] void add_baseline(T* sums, const T* terms, std::size_t count) {
  add_loop(sums, terms, count);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2"), gnu::optimize("O3")]] void add_avx2(T* sums, const T* terms,
                                                           std::size_t count) {
  add_loop(sums, terms, count);
}

/// Adds eight halves at a time with the F16C instructions, which convert to and from float32.
[[gnu::target("avx2,f16c")]] void add_float16(Float16* sums, const Float16* terms,
                                              std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    auto* const eight = reinterpret_cast<__m128i*>(sums + i);
    const auto* const more = reinterpret_cast<const __m128i*>(terms + i);
    const __m256 sum = _mm256_add_ps(_mm256_cvtph_ps(_mm_loadu_si128(eight)),
                                     _mm256_cvtph_ps(_mm_loadu_si128(more)));
    _mm_storeu_si128(eight, _mm256_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
  }
  add_loop(sums + i, terms + i, count - i);
}
#endif

template <class T>
using Kernel = void (*)(T*, const T*, std::size_t);

template <class T>
Kernel<T> pick_kernel() {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, Float16>) {
    // Every processor with AVX2 has F16C, which clang cannot be asked for.
    if (__builtin_cpu_supports("avx2")) return add_float16;
  } else {
    if (__builtin_cpu_supports("avx2")) return add_avx2<T>;
  }
#endif
  return add_baseline<T>;
}

template <class T>
void add_as(std::span<std::byte> sums, std::span<const std::byte> terms) {
  static const Kernel<T> kernel = pick_kernel<T>();
  kernel(reinterpret_cast<T*>(sums.data()), reinterpret_cast<const T*>(terms.data()),
         sums.size() / sizeof(T));
}

}  // namespace

void add(Dtype type, std::span<std::byte> sums, std::span<const std::byte> terms) {
  ensure(sums.size() == terms.size() && sums.size() % size_of(type) == 0,
         "there is a term for every sum");
  switch (type) {
    case Dtype::float32:
      return add_as<float>(sums, terms);
    case Dtype::float64:
      return add_as<double>(sums, terms);
    case Dtype::float16:
      return add_as<Float16>(sums, terms);
    case Dtype::bfloat16:
      return add_as<Bfloat16>(sums, terms);
    case Dtype::int32:
      return add_as<std::uint32_t>(sums, terms);
    case Dtype::int64:
      return add_as<std::uint64_t>(sums, terms);
    case Dtype::byte:
      break;
  }
  throw_bug("bytes move, and are never added");
}

void add(std::span<float> sums, std::span<const float> terms) {
  add(Dtype::float32, std::as_writable_bytes(sums), std::as_bytes(terms));
}

}  // namespace gradwire::transport
