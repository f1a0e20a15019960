#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gradwire::report {

/// Packs every `every`-th number, beginning with the first, as little-endian float32 in base64 (RFC
/// 4648, padded).
[[nodiscard]] std::string packed(std::span<const double> numbers, std::size_t every);
/// Packs every `every`-th of some times as microseconds, as packed() does.
[[nodiscard]] std::string packed_microseconds(std::span<const double> seconds, std::size_t every);

}  // namespace gradwire::report
