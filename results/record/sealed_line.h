#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// Sealed lines of a run folder's *.ndjson files: JSON objects with a version, whose last member is
/// a checksum of everything before it:
///
///     {"gst_ns":2335641.2,...,"version":1,"crc32":"0a1b2c3d"}
///
/// The CRC-32 is that of zlib, gzip and PNG, over the bytes from the opening brace to the comma
/// before "crc32", without that comma; eight hexadecimal digits.
namespace gradwire::record {

/// Version of everything in a run folder. Readers skip unknown fields, and refuse newer versions.
inline constexpr int kStoreVersion = 1;

/// Makes the sealed line of an object, with version and checksum, without a newline.
[[nodiscard]] std::string seal(nlohmann::json object, int version = kStoreVersion);

/// Describes what is wrong with a line's checksum; nothing when it fits.
[[nodiscard]] std::optional<std::string_view> broken_seal(std::string_view line);

}  // namespace gradwire::record
