#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

/// How a Pattern's numbers come of their elements' numbers (core/pattern.h). Whatever fills gradients
/// computes with these, kernels of devices too: so this header is C++17, and its functions read
/// nothing but their own members.
#ifdef __CUDACC__
#define GRADWIRE_ANYWHERE __host__ __device__
#else
#define GRADWIRE_ANYWHERE
#endif

namespace gradwire {

/// 64 bits that look like chance (splitmix64).
GRADWIRE_ANYWHERE inline std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

/// Of float32: what a rank contributes to an element, or the sum of what `ranks` of them do.
struct Number32 {
  std::uint32_t mask = 0;
  std::uint32_t salt = 0;
  std::uint32_t ranks = 1;
  std::uint32_t of_ranks = 0;  ///< what depends on the ranks, and on no element

  GRADWIRE_ANYWHERE std::uint32_t operator()(std::size_t element) const {
    std::uint32_t bits = static_cast<std::uint32_t>(element) * 2654435761U + salt;
    bits ^= bits >> 15;
    return (bits & mask) * ranks + of_ranks;
  }
};

/// The same of float64, of whole numbers and of bytes.
struct Number64 {
  std::uint64_t mask = 0;
  std::uint64_t salt = 0;
  std::uint64_t ranks = 1;
  std::uint64_t of_ranks = 0;

  GRADWIRE_ANYWHERE std::uint64_t operator()(std::size_t element) const {
    return (mixed(element ^ salt) & mask) * ranks + of_ranks;
  }
};

/// Of a half: what the rank at `place` among `ranks` contributes to an element.
struct NarrowShare {
  /// Ranks that contribute something else than 0 to an element.
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

/// Of a half: the sum of what `ranks` contribute.
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

/// Elements [begin, end) of a gradient, and the number of each.
struct PatternRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::variant<Number32, Number64, NarrowShare, NarrowSum> number;
};

}  // namespace gradwire
