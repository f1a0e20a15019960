#include "transport/add.h"

#include <cstddef>

#include "core/error.h"

namespace gradwire::transport {
namespace {

// One loop, compiled twice: the compiler vectorizes it for the instruction set of its caller.
[[gnu::always_inline]] inline void add_loop(float* __restrict sums, const float* __restrict terms,
                                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += terms[i];
}

[[gnu::optimize("O3")]] void add_baseline(float* sums, const float* terms, std::size_t count) {
  add_loop(sums, terms, count);
}

#if defined(__x86_64__)
[[gnu::target("avx2"), gnu::optimize("O3")]] void add_avx2(float* sums, const float* terms,
                                                           std::size_t count) {
  add_loop(sums, terms, count);
}
#endif

using Kernel = void (*)(float*, const float*, std::size_t);

Kernel pick_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return add_avx2;
#endif
  return add_baseline;
}

}  // namespace

void add(std::span<float> sums, std::span<const float> terms) {
  static const Kernel kernel = pick_kernel();
  ensure(sums.size() == terms.size(), "there is a term for every sum");
  kernel(sums.data(), terms.data(), sums.size());
}

}  // namespace gradwire::transport
