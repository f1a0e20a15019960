#include "peers/gloo/store.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::peers::gloo {
namespace {

/// A rendezvous carries text.
std::string to_hex(const std::vector<char>& data) {
  std::string text;
  for (const char byte : data) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::vector<char> from_hex(const std::string& text) {
  ensure(text.size() % 2 == 0, "a byte is two hexadecimal digits");
  std::vector<char> data;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = text.data() + i + 2;
    const auto read = std::from_chars(text.data() + i, end, byte, 16);
    ensure(read.ec == std::errc() && read.ptr == end, "a byte is two hexadecimal digits");
    data.push_back(static_cast<char>(byte));
  }
  return data;
}

}  // namespace

void RendezvousStore::set(const std::string& key, const std::vector<char>& data) {
  for (const std::string& one : rendezvous_.all_gather(key + " " + to_hex(data))) {
    std::istringstream words(one);
    std::string their_key;
    std::string their_data;
    words >> their_key >> their_data;
    values_[their_key] = from_hex(their_data);
  }
}

std::vector<char> RendezvousStore::get(const std::string& key) {
  const auto value = values_.find(key);
  ensure(value != values_.end(), "every rank has set its key before one is read");
  return value->second;
}

void RendezvousStore::wait(const std::vector<std::string>& keys) {
  ensure(std::ranges::all_of(keys, [this](const auto& key) { return values_.contains(key); }),
         "every rank has set its key before one is read");
}

}  // namespace gradwire::peers::gloo
