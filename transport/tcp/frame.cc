#include "transport/tcp/frame.h"

#include <algorithm>

#include "transport/crc32c.h"

namespace gradwire::transport::tcp {
namespace {

/// Bytes that a sender reads ahead of the kernel: about what the kernel takes at once.
constexpr std::size_t kPartBytes = 128 * 1024;

constexpr std::size_t kLengthAt = 8;
constexpr std::size_t kCrcAt = 12;

void put(std::span<std::byte> to, std::uint64_t number) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::byte>(number >> (8 * i));
}

}  // namespace

std::size_t Frame::payload_left(std::size_t message_left) const {
  return is_full_ ? 0 : std::min(message_left, kFrameBytes - payload_);
}

std::span<std::byte> Frame::next_part(std::span<std::byte> payload) {
  if (!checked_) return payload;
  const auto part = payload.first(std::min(payload.size(), kPartBytes));
  const std::size_t ahead = mixed_ - payload_;
  mix(part.subspan(std::min(ahead, part.size())));
  if (part.size() == payload.size()) check_ = expected_check();
  return part;
}

void Frame::mix(std::span<const std::byte> payload) {
  if (checked_) crc_ = crc32c(crc_, payload);
  mixed_ += payload.size();
}

std::span<std::byte> Frame::check_left() {
  return checked_ ? std::span(check_).subspan(check_moved_) : std::span<std::byte>{};
}

bool Frame::advance(std::size_t payload, std::size_t left, std::size_t check) {
  payload_ += payload;
  is_full_ = payload == left;
  check_moved_ += check;
  return is_full_ && check_left().empty();
}

bool Frame::is_right() const {
  return !checked_ || check_ == expected_check();
}

void Frame::end() {
  is_full_ = false;
  payload_ = 0;
  mixed_ = 0;
  crc_ = 0;
  check_moved_ = 0;
  ++number_;
}

Frame::Check Frame::expected_check() const {
  Check check{};
  const std::span<std::byte> bytes(check);
  put(bytes.first(kLengthAt), number_);
  put(bytes.subspan(kLengthAt, kCrcAt - kLengthAt), mixed_);
  put(bytes.subspan(kCrcAt), crc32c(crc_, bytes.first(kCrcAt)));
  return check;
}

std::uint32_t Frame::crc_of(const Check& check) {
  std::uint32_t crc = 0;
  for (std::size_t i = kCrcAt; i < kCheckBytes; ++i) {
    crc |= static_cast<std::uint32_t>(check[i]) << (8 * (i - kCrcAt));
  }
  return crc;
}

}  // namespace gradwire::transport::tcp
