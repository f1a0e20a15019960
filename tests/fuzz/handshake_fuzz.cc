#include <algorithm>

#include "tests/fuzz/fuzz.h"
#include "transport/tcp/handshake.h"

/// The bytes that ranks say when they connect over tcp: Hello and Verdict.
namespace gradwire::transport::tcp {
namespace {

constexpr RunKey kKey{1, 2, 3};

template <std::size_t size>
std::array<std::uint8_t, size> padded(std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, size> padded{};
  std::ranges::copy(bytes, padded.begin());
  return padded;
}

HelloBytes check_hello(fuzz::Choices& choices) {
  const bool of_our_run = choices.flag();
  HelloBytes bytes = padded<kHelloBytes>(choices.take(kHelloBytes));
  if (of_our_run) {
    // Magic, version and run take 20 bytes, which nobody would guess.
    const HelloBytes right = encode(Hello{}, kKey);
    std::copy_n(right.begin(), 20, bytes.begin());
  }
  const auto hello = decode(bytes, kKey);
  fuzz::require(hello || !of_our_run, "a Hello of the run is one");
  if (hello) fuzz::require(encode(*hello, kKey) == bytes, "a Hello is read as it is written");
  return bytes;
}

void check_verdict(fuzz::Choices& choices, const Opening& opening) {
  const auto bytes = padded<kVerdictBytes>(choices.take(kVerdictBytes));
  const auto verdict = decode(bytes, kKey, opening);
  if (verdict) {
    fuzz::require(encode(*verdict, kKey, opening) == bytes, "a Verdict is read as it is written");
  }
  for (const Verdict given : {Verdict::welcome, Verdict::unknown, Verdict::taken}) {
    VerdictBytes right = encode(given, kKey, opening);
    fuzz::require(decode(right, kKey, opening) == given, "a Verdict is read as it is written");
    right[choices.below(right.size())] ^= static_cast<std::uint8_t>(1 + choices.below(255));
    fuzz::require(!decode(right, kKey, opening), "a Verdict that was changed is none");
  }
}

}  // namespace
}  // namespace gradwire::transport::tcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport;
  fuzz::Choices choices(data, size);
  tcp::Opening opening{.hello = tcp::check_hello(choices)};
  std::ranges::copy(choices.take(sizeof(Nonce)), opening.challenge.begin());
  tcp::check_verdict(choices, opening);
  return 0;
}
