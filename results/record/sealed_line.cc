#include "results/record/sealed_line.h"

#include <cstdint>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace gradwire::record {
namespace {

constexpr std::string_view kMember = ",\"crc32\":\"";
constexpr std::size_t kDigits = 8;
constexpr std::size_t kSealBytes = kMember.size() + kDigits + 2;  // and its quote and brace

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace

std::string seal(nlohmann::json object, int version) {
  object["version"] = version;
  std::string line = object.dump();
  line.pop_back();
  return fmt::format("{}{}{:08x}\"}}", line, kMember, checksum(line));
}

std::optional<std::string_view> broken_seal(std::string_view line) {
  if (line.size() < kSealBytes || !line.ends_with("\"}")) return "does not end with a checksum";
  const std::string_view sealed = line.substr(0, line.size() - kSealBytes);
  const std::string_view member = line.substr(sealed.size());
  if (!member.starts_with(kMember)) return "does not end with a checksum";
  if (member.substr(kMember.size(), kDigits) != fmt::format("{:08x}", checksum(sealed))) {
    return "is damaged: its checksum does not fit";
  }
  return std::nullopt;
}

}  // namespace gradwire::record
