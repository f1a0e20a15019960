#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gradwire::report {

/// Every `every`-th of the seconds, beginning with the first, as microseconds: little-endian
/// float32 in base64 (RFC 4648, padded).
[[nodiscard]] std::string packed_microseconds(std::span<const double> seconds, std::size_t every);

}  // namespace gradwire::report
