#include <algorithm>
#include <string>

#include "core/binary.h"
#include "tests/fuzz/fuzz.h"
#include "transport/handshake.h"

/// The bytes that processes say when they connect: Greeting, Challenge and Verdict.
namespace gradwire::transport {
namespace {

constexpr RunKey kKey{1, 2, 3};

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

std::string check_greeting(fuzz::Choices& choices) {
  std::string bytes;
  // Magic, version and run take 20 bytes, which nobody would guess.
  if (choices.flag()) bytes = encode(Greeting{}, kKey).substr(0, 20);
  bytes += text_of(choices.take(kGreetingBytes - bytes.size()));
  const auto greeting = decode_greeting(bytes, kKey);
  if (greeting) {
    fuzz::require(encode(*greeting, kKey) == bytes, "a Greeting is read as it is written");
    fuzz::require(is_greeting(bytes), "a Greeting of the run is one");
  }
  return bytes;
}

void check_verdict(fuzz::Choices& choices, const Opening& opening) {
  const std::string bytes = text_of(choices.take(kVerdictBytes));
  if (const auto verdict = decode_verdict(bytes, kKey, opening)) {
    fuzz::require(encode(*verdict, kKey, opening) == bytes, "a Verdict is read as it is written");
  }
  for (const Judgement judgement :
       {Judgement::welcome, Judgement::unknown, Judgement::taken, Judgement::others}) {
    const Verdict given{.judgement = judgement, .ranks = choices.byte()};
    std::string right = encode(given, kKey, opening);
    fuzz::require(decode_verdict(right, kKey, opening) == given,
                  "a Verdict is read as it is written");
    char& changed = right[choices.below(right.size())];
    changed = static_cast<char>(changed ^ static_cast<char>(1 + choices.below(255)));
    fuzz::require(!decode_verdict(right, kKey, opening), "a Verdict that was changed is none");
  }
}

}  // namespace
}  // namespace gradwire::transport

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport;
  fuzz::Choices choices(data, size);
  Opening opening{.greeting = check_greeting(choices)};
  const std::string said = text_of(choices.take(kChallengeBytes));
  if (const auto challenge = decode_challenge(said)) {
    fuzz::require(encode(*challenge) == said, "a Challenge is read as it is written");
    opening.challenge = challenge->nonce;
  }
  check_verdict(choices, opening);
  return 0;
}
