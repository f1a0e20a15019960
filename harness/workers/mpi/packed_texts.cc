#include "harness/workers/mpi/packed_texts.h"

#include <cstdint>
#include <cstring>

#include "core/error.h"

namespace gradwire::workers {

std::string packed(std::span<const std::string> texts) {
  std::string bytes;
  for (const std::string& text : texts) {
    const std::uint64_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += text;
  }
  return bytes;
}

std::vector<std::string> unpacked(std::string_view bytes) {
  std::vector<std::string> texts;
  while (!bytes.empty()) {
    std::uint64_t size = 0;
    ensure(bytes.size() >= sizeof size, "a length comes before each text");
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    ensure(bytes.size() >= size, "a text is as long as it says");
    texts.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return texts;
}

}  // namespace gradwire::workers
