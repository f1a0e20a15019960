#include "transport/tcp/handshake.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace gradwire::transport::tcp {
namespace {

constexpr std::string_view kMagic = "GRADWIRE";
constexpr std::uint32_t kVersion = 2;

// Layout: magic 8, version 4, run 8, lane 4, from 4, via 4, to 4, at 4, nonce 16.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kRunAt = 12;
constexpr std::size_t kRunBytes = 8;
constexpr std::size_t kNumbersAt = 20;
constexpr std::size_t kNonceAt = 40;
static_assert(kNonceAt + sizeof(Nonce) == kHelloBytes);

// What a MAC is made for comes first in its message, so that none can be taken for another.
constexpr std::string_view kRun = "gradwire run";
constexpr std::string_view kCaller = "gradwire tcp caller";
constexpr std::string_view kAcceptor = "gradwire tcp acceptor";

void put(std::span<std::uint8_t> to, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) to[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint32_t get(std::span<const std::uint8_t> from, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{from[at + i]} << (8 * i);
  return number;
}

std::vector<std::uint8_t> message(std::string_view purpose) {
  return {purpose.begin(), purpose.end()};
}

void append(std::vector<std::uint8_t>& message, std::span<const std::uint8_t> bytes) {
  message.insert(message.end(), bytes.begin(), bytes.end());
}

/// All of a Hello that does not depend on the channel.
std::array<std::uint8_t, kNumbersAt> preamble(const RunKey& key) {
  std::array<std::uint8_t, kNumbersAt> bytes{};
  std::ranges::copy(kMagic, bytes.begin());
  put(bytes, kVersionAt, kVersion);
  const Mac run = authenticate(key, message(kRun));
  std::ranges::copy(std::span(run).first<kRunBytes>(), bytes.begin() + kRunAt);
  return bytes;
}

Mac proof_of_acceptor(Verdict verdict, const RunKey& key, const Opening& opening) {
  auto signed_bytes = message(kAcceptor);
  signed_bytes.push_back(static_cast<std::uint8_t>(verdict));
  append(signed_bytes, opening.hello);
  append(signed_bytes, opening.challenge);
  return authenticate(key, signed_bytes);
}

}  // namespace

HelloBytes encode(const Hello& hello, const RunKey& key) {
  HelloBytes bytes{};
  std::ranges::copy(preamble(key), bytes.begin());
  const std::array numbers{hello.lane, hello.from.value, hello.via.value, hello.to.value,
                           hello.at.value};
  for (std::size_t i = 0; i < numbers.size(); ++i) put(bytes, kNumbersAt + 4 * i, numbers[i]);
  std::ranges::copy(hello.nonce, bytes.begin() + kNonceAt);
  return bytes;
}

std::optional<Hello> decode(const HelloBytes& bytes, const RunKey& key) {
  if (!std::ranges::equal(std::span(bytes).first<kNumbersAt>(), preamble(key))) return {};
  Hello hello{.lane = get(bytes, kNumbersAt),
              .from = Rank(get(bytes, kNumbersAt + 4)),
              .via = Port(get(bytes, kNumbersAt + 8)),
              .to = Rank(get(bytes, kNumbersAt + 12)),
              .at = Port(get(bytes, kNumbersAt + 16))};
  std::ranges::copy(std::span(bytes).subspan<kNonceAt>(), hello.nonce.begin());
  return hello;
}

Mac proof_of_caller(const RunKey& key, const Opening& opening) {
  auto signed_bytes = message(kCaller);
  append(signed_bytes, opening.hello);
  append(signed_bytes, opening.challenge);
  return authenticate(key, signed_bytes);
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::welcome:
      return "welcomes the connection";
    case Verdict::unknown:
      return "has no such channel";
    case Verdict::taken:
      return "has another connection for this channel";
  }
  throw InternalError("a verdict has words");
}

VerdictBytes encode(Verdict verdict, const RunKey& key, const Opening& opening) {
  VerdictBytes bytes{static_cast<std::uint8_t>(verdict)};
  std::ranges::copy(proof_of_acceptor(verdict, key, opening), bytes.begin() + 1);
  return bytes;
}

std::optional<Verdict> decode(const VerdictBytes& bytes, const RunKey& key,
                              const Opening& opening) {
  for (const Verdict verdict : {Verdict::welcome, Verdict::unknown, Verdict::taken}) {
    if (bytes[0] != static_cast<std::uint8_t>(verdict)) continue;
    Mac theirs{};
    std::ranges::copy(std::span(bytes).subspan<1>(), theirs.begin());
    if (equal(theirs, proof_of_acceptor(verdict, key, opening))) return verdict;
  }
  return std::nullopt;
}

}  // namespace gradwire::transport::tcp
