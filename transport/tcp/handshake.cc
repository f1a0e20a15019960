#include "transport/tcp/handshake.h"

#include <algorithm>
#include <string_view>

namespace gradwire::transport::tcp {
namespace {

constexpr std::string_view kMagic = "GRADWIRE";
constexpr std::uint32_t kVersion = 1;

// Layout: magic 8, version 4, key 16, lane 4, from 4, via 4, to 4, at 4.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kKeyAt = 12;
constexpr std::size_t kNumbersAt = 28;
static_assert(kNumbersAt + 5 * 4 == kHelloBytes);

void put(std::span<std::uint8_t> to, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) to[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint32_t get(std::span<const std::uint8_t> from, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{from[at + i]} << (8 * i);
  return number;
}

}  // namespace

std::array<std::uint8_t, kHelloBytes> encode(const Hello& hello) {
  std::array<std::uint8_t, kHelloBytes> bytes{};
  std::ranges::copy(kMagic, bytes.begin());
  put(bytes, kVersionAt, kVersion);
  std::ranges::copy(hello.key, bytes.begin() + kKeyAt);
  const std::array numbers{hello.lane, hello.from.value, hello.via.value, hello.to.value,
                           hello.at.value};
  for (std::size_t i = 0; i < numbers.size(); ++i) put(bytes, kNumbersAt + 4 * i, numbers[i]);
  return bytes;
}

std::optional<Hello> decode(std::span<const std::uint8_t, kHelloBytes> bytes,
                            const RunKey& expected) {
  const auto magic = bytes.first<kMagic.size()>();
  if (!std::ranges::equal(magic, kMagic, {}, {},
                          [](char c) { return static_cast<std::uint8_t>(c); })) {
    return std::nullopt;
  }
  if (get(bytes, kVersionAt) != kVersion) return std::nullopt;
  unsigned difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) difference |= bytes[kKeyAt + i] ^ expected[i];
  if (difference != 0) return std::nullopt;
  return Hello{.key = expected,
               .lane = get(bytes, kNumbersAt),
               .from = Rank(get(bytes, kNumbersAt + 4)),
               .via = Port(get(bytes, kNumbersAt + 8)),
               .to = Rank(get(bytes, kNumbersAt + 12)),
               .at = Port(get(bytes, kNumbersAt + 16))};
}

}  // namespace gradwire::transport::tcp
