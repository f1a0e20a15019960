#include "transport/store/message.h"

#include <algorithm>

namespace gradwire::transport::store {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kHeadBytes = 5;

bool is_kind(char letter) {
  return std::string_view("CGLMFB").find(letter) != std::string_view::npos;
}

}  // namespace

std::size_t most_gathered(std::size_t ranks) {
  return std::max(ranks * (kMostContribution + 4) + 4, kMostText + 9);
}

std::string encode(const Message& message) {
  return to_bytes(static_cast<std::uint32_t>(message.body.size())) +
         static_cast<char>(message.kind) + message.body;
}

bool MessageReader::take(std::string_view bytes) {
  if (broken_) return false;
  bytes_ += bytes;
  return true;
}

std::optional<Message> MessageReader::next() {
  if (broken_ || bytes_.size() < kHeadBytes) return std::nullopt;
  const std::size_t length =
      from_bytes<std::uint32_t>(std::string_view(bytes_).substr(0, kLengthBytes)).value();
  const char kind = bytes_[kLengthBytes];
  if (length > most_ || !is_kind(kind)) {
    broken_ = true;
    bytes_.clear();
    return std::nullopt;
  }
  if (bytes_.size() < kHeadBytes + length) return std::nullopt;
  Message message{.kind = static_cast<Kind>(kind), .body = bytes_.substr(kHeadBytes, length)};
  bytes_.erase(0, kHeadBytes + length);
  return message;
}

}  // namespace gradwire::transport::store
