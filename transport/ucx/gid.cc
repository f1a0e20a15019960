#include "transport/ucx/gid.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace gradwire::transport::ucx {
namespace {

/// Reads the first line of a file; empty when it cannot be read, as for unused entries of a table.
std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

bool link_local(const std::string& gid) {
  std::uint16_t head = 0;
  const char* const end = gid.data() + std::min<std::size_t>(gid.size(), 4);
  const auto parsed = std::from_chars(gid.data(), end, head, 16);
  return parsed.ec == std::errc() && parsed.ptr == gid.data() + 4 && (head & 0xffc0U) == 0xfe80U;
}

}  // namespace

std::optional<std::size_t> link_local_gid(const std::string& device, const std::string& interface,
                                          const std::filesystem::path& root) {
  const std::filesystem::path port = root / device / "ports" / "1";
  std::error_code none;
  for (std::size_t index = 0; std::filesystem::exists(port / "gids" / std::to_string(index), none);
       ++index) {
    const std::string number = std::to_string(index);
    if (!link_local(first_line(port / "gids" / number))) continue;
    if (first_line(port / "gid_attrs" / "types" / number) != "RoCE v2") continue;
    const std::string carrier = first_line(port / "gid_attrs" / "ndevs" / number);
    if (!carrier.empty() && carrier != interface) continue;
    return index;
  }
  return std::nullopt;
}

}  // namespace gradwire::transport::ucx
