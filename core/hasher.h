#pragma once

#include <cstdint>
#include <string_view>

namespace gradwire {

/// A 64-bit FNV-1a hash, the same on every machine. It tells values apart; it gives no security.
class Hasher {
 public:
  /// Mixes a number in, as its eight bytes from the lowest.
  constexpr void mix(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) mix_byte((word >> (8 * byte)) & 0xff);
  }
  /// Mixes a text in: its length, then its bytes.
  constexpr void mix(std::string_view text) {
    mix(text.size());
    for (const char c : text) mix_byte(static_cast<unsigned char>(c));
  }
  /// The hash of all that was mixed in so far.
  [[nodiscard]] constexpr std::uint64_t value() const { return state_; }

 private:
  constexpr void mix_byte(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100000001b3; }

  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace gradwire
