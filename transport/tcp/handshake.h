#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/id.h"

namespace gradwire::transport::tcp {

/// A secret of the run, handed to its ranks and to nobody else: strangers who find a port cannot
/// join.
using RunKey = std::array<std::uint8_t, 16>;

/// What the rank that connects says first: which channel this is.
struct Hello {
  RunKey key{};
  std::uint32_t lane = 0;
  Rank from;  ///< who connects
  Port via;   ///< through which of its ports
  Rank to;    ///< whom it wants
  Port at;    ///< at which of the other's ports
};

inline constexpr std::size_t kHelloBytes = 48;
/// The answer of the rank that accepts.
inline constexpr std::uint8_t kWelcome = 0x57;

/// The bytes of a Hello: "GRADWIRE", a version, the key and the five numbers, little-endian.
[[nodiscard]] std::array<std::uint8_t, kHelloBytes> encode(const Hello& hello);

/// Nothing when these are not the bytes of this version's Hello with the key of this run. Compares
/// keys in constant time.
[[nodiscard]] std::optional<Hello> decode(std::span<const std::uint8_t, kHelloBytes> bytes,
                                          const RunKey& expected);

}  // namespace gradwire::transport::tcp
