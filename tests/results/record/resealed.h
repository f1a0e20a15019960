#pragma once

#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace gradwire::record {

/// A line with the version that the object has, and a checksum that fits.
inline std::string resealed(const nlohmann::json& object) {
  std::string line = object.dump();
  line.pop_back();
  const auto* const bytes = reinterpret_cast<const unsigned char*>(line.data());
  return fmt::format("{},\"crc32\":\"{:08x}\"}}", line,
                     ::crc32(0, bytes, static_cast<unsigned>(line.size())));
}

}  // namespace gradwire::record
