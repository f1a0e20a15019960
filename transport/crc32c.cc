#include "transport/crc32c.h"

#include <isa-l/crc.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace gradwire::transport {
namespace {

#ifdef __x86_64__
/// Clears the upper halves of the vector registers, which the library leaves in use. Otherwise the
/// kernel saves and restores them at every switch of threads: 16 % of the processor where four
/// ranks share two cores.
__attribute__((target("avx"))) void release_upper_halves() {
  _mm256_zeroupper();
}
const bool kHasUpperHalves = __builtin_cpu_supports("avx") != 0;
#else
void release_upper_halves() {}
constexpr bool kHasUpperHalves = false;
#endif

}  // namespace

std::uint32_t crc32c(std::uint32_t before, std::span<const std::byte> bytes) {
  // The library takes and gives the register itself, which a CRC is the complement of, and promises
  // to change nothing.
  auto* const data =
      const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  const std::uint32_t crc = ~crc32_iscsi(data, static_cast<int>(bytes.size()), ~before);
  if (kHasUpperHalves) release_upper_halves();
  return crc;
}

}  // namespace gradwire::transport
