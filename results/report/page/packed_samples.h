#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gradwire::report {

/// Every `every`-th of the numbers, beginning with the first: little-endian float32 in base64 (RFC
/// 4648, padded).
[[nodiscard]] std::string packed(std::span<const double> numbers, std::size_t every);
/// The same of seconds, as microseconds.
[[nodiscard]] std::string packed_microseconds(std::span<const double> seconds, std::size_t every);

}  // namespace gradwire::report
