#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gradwire::transport {

/// CRC32C (Castagnoli, RFC 3720 appendix B.4) of `bytes` behind those that `before` is the CRC of; 0
/// is the CRC of nothing. On bytes that are in the cache as fast as copying them: 55 GB/s with
/// AVX-512. Never allocates.
[[nodiscard]] std::uint32_t crc32c(std::uint32_t before, std::span<const std::byte> bytes);

}  // namespace gradwire::transport
