#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <zlib.h>

/// Seals that fit: a fuzzer does not find a checksum.
namespace gradwire::fuzz {

/// The line with a checksum of its own, in place of the one that it has.
inline std::string sealed(std::string_view line) {
  constexpr std::string_view kMember = ",\"crc32\":\"";
  const std::size_t seal = line.rfind(kMember);
  if (seal != std::string_view::npos) {
    line = line.substr(0, seal);
  } else if (line.ends_with('}')) {
    line.remove_suffix(1);
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(line.data());
  return fmt::format("{}{}{:08x}\"}}", line, kMember,
                     ::crc32(0, bytes, static_cast<unsigned>(line.size())));
}

/// The line, with kPadding bytes behind it as LineReader gives it.
class PaddedLine {
 public:
  explicit PaddedLine(std::string_view line) : bytes_(line), size_(line.size()) {
    bytes_.append(64, '\0');
  }
  [[nodiscard]] std::string_view text() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::string bytes_;
  std::size_t size_;
};

}  // namespace gradwire::fuzz
