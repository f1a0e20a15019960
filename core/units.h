#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gradwire {

using Nanoseconds = std::chrono::nanoseconds;
/// Seconds as a real number: for rates and models, never for deadlines.
using Seconds = std::chrono::duration<double>;

/// A link's rate in bits per second, the unit in which links are sold.
struct BitRate {
  double bits_per_second = 0;

  /// The rate in bytes per second.
  [[nodiscard]] constexpr double bytes_per_second() const { return bits_per_second / 8; }
  /// Whether the rate is limited: unlimited is infinity.
  [[nodiscard]] constexpr bool is_limited() const {
    return bits_per_second < std::numeric_limits<double>::infinity();
  }
  friend constexpr auto operator<=>(BitRate, BitRate) = default;
};

/// The rate of a link that only the machine limits.
inline constexpr BitRate kUnlimited{std::numeric_limits<double>::infinity()};

/// The time that `bytes` take on a link of this rate.
[[nodiscard]] constexpr Seconds time_to_send(double bytes, BitRate rate) {
  return Seconds(bytes / rate.bytes_per_second());
}

/// Reads a rate: "40Gbit", "500 Mbit/s", "100G", "1.5Gbps" or "12.5GB/s"; factors are powers of 1000.
/// Throws InputError, without a place, for what is none, has no unit, or can mean two ("10gbps").
[[nodiscard]] BitRate parse_bit_rate(std::string_view text);

/// Reads a size exactly: "12.5MiB" (powers of 1024), "8.2MB" (of 1000), "4096" (bytes). Throws
/// InputError, without a place, for what is no whole number of bytes or can mean two ("25M").
[[nodiscard]] std::uint64_t parse_bytes(std::string_view text);

/// Reads a time: "10s", "1.5 ms", "250us", "2h". Throws InputError, without a place.
[[nodiscard]] Nanoseconds parse_duration(std::string_view text);

/// The rate as text: "40 Gbit/s", "500 Mbit/s".
[[nodiscard]] std::string to_string(BitRate rate);
/// The size as text: "12.49 MiB", "700 B".
[[nodiscard]] std::string format_bytes(double bytes);
/// The duration as text: "2.3 ms", "41.1 us".
[[nodiscard]] std::string format_duration(Nanoseconds duration);

}  // namespace gradwire
