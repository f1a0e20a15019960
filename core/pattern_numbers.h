#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

/// The formulas from an element's number to a Pattern's value (core/pattern.h). Host code and
/// device kernels both fill gradients with them, so this header is C++17, and its functions read
/// only their own members.
#ifdef __CUDACC__
#define GRADWIRE_ANYWHERE __host__ __device__
#else
#define GRADWIRE_ANYWHERE
#endif

namespace gradwire {

/// 64 pseudorandom bits (splitmix64).
GRADWIRE_ANYWHERE inline std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

/// A float32: a rank's contribution to an element, or the sum of `ranks` contributions.
struct Number32 {
  std::uint32_t mask = 0;
  std::uint32_t salt = 0;
  std::uint32_t ranks = 1;
  std::uint32_t of_ranks = 0;  ///< part that depends on the ranks, and on no element

  GRADWIRE_ANYWHERE std::uint32_t operator()(std::size_t element) const {
    std::uint32_t bits = static_cast<std::uint32_t>(element) * 2654435761U + salt;
    bits ^= bits >> 15;
    return (bits & mask) * ranks + of_ranks;
  }
};

/// A float64, a whole number or a byte: a rank's contribution to an element, or the sum of `ranks`
/// contributions.
struct Number64 {
  std::uint64_t mask = 0;
  std::uint64_t salt = 0;
  std::uint64_t ranks = 1;
  std::uint64_t of_ranks = 0;

  GRADWIRE_ANYWHERE std::uint64_t operator()(std::size_t element) const {
    return (mixed(element ^ salt) & mask) * ranks + of_ranks;
  }
};

/// A half: the contribution to an element of the rank at `place` among `ranks`.
struct NarrowShare {
  /// The number of ranks whose contribution to an element is not 0.
  static constexpr std::size_t kWindow = 8;

  unsigned width = 1;  ///< bits of a contribution
  std::uint64_t salt = 0;
  std::uint64_t ranks = 1;
  std::uint64_t place = 0;

  GRADWIRE_ANYWHERE std::uint64_t operator()(std::size_t element) const {
    const std::uint64_t bits = mixed(element ^ salt);
    const std::uint64_t turn = (place + ranks - mixed(bits) % ranks) % ranks;
    return turn < kWindow ? (bits >> (turn * width)) & ((1U << width) - 1) : 0;
  }
};

/// A half: the sum of the contributions of `ranks`.
struct NarrowSum {
  unsigned width = 1;
  std::uint64_t salt = 0;
  std::uint64_t ranks = 1;

  GRADWIRE_ANYWHERE std::uint64_t operator()(std::size_t element) const {
    const std::uint64_t bits = mixed(element ^ salt);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < NarrowShare::kWindow && i < ranks; ++i) {
      sum += (bits >> (i * width)) & ((1U << width) - 1);
    }
    return sum;
  }
};

/// Elements [begin, end) of a gradient, and the formula of their values.
struct PatternRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::variant<Number32, Number64, NarrowShare, NarrowSum> number;
};

}  // namespace gradwire
