#include "transport/handshake.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/binary.h"
#include "core/error.h"

namespace gradwire::transport {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic{'G', 'R', 'A', 'D', 'W', 'I', 'R', 'E'};
constexpr std::uint32_t kVersion = 3;

// What a MAC is made for comes first in its message, so that none can be taken for another.
constexpr std::string_view kRun = "gradwire run";
constexpr std::string_view kCaller = "gradwire caller";
constexpr std::string_view kAcceptor = "gradwire acceptor";

/// All of the bytes of a Greeting that does not depend on the connection.
struct Preamble {
  std::array<std::uint8_t, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::array<std::uint8_t, 8> run{};

  static constexpr auto kFields =
      fields(field("magic", &Preamble::magic), field("version", &Preamble::version),
             field("run", &Preamble::run));
};
constexpr std::size_t kPreambleBytes = 20;
constexpr std::size_t kVersionEnds = 12;

std::string preamble(const RunKey& key) {
  Preamble words;
  const Mac run = authenticate(key, kRun);
  std::copy_n(run.begin(), words.run.size(), words.run.begin());
  return to_bytes(words);
}

std::string text_of(const Mac& mac) {
  return {mac.begin(), mac.end()};
}

std::string said(std::string_view purpose, const Opening& opening) {
  return std::string(purpose) + opening.greeting + to_bytes(opening.challenge);
}

Mac proof_of_acceptor(const std::string& verdict, const RunKey& key, const Opening& opening) {
  return authenticate(key, said(kAcceptor, opening) + verdict);
}

bool is_mac(std::string_view bytes, const Mac& mac) {
  const auto theirs = from_bytes<Mac>(bytes);
  return theirs && equal(*theirs, mac);
}

}  // namespace

Greeting answering(const Greeting& greeting, const Nonce& nonce) {
  Greeting answer = greeting;
  std::swap(answer.from, answer.to);
  std::swap(answer.via, answer.at);
  answer.nonce = nonce;
  return answer;
}

std::string encode(const Greeting& greeting, const RunKey& key) {
  std::string bytes = preamble(key) + to_bytes(greeting);
  ensure(bytes.size() == kGreetingBytes, "a Greeting is as long as its readers expect");
  return bytes;
}

std::optional<Greeting> decode_greeting(std::string_view bytes, const RunKey& key) {
  if (!bytes.starts_with(preamble(key))) return std::nullopt;
  return from_bytes<Greeting>(bytes.substr(kPreambleBytes));
}

bool is_greeting(std::string_view bytes) {
  return bytes.starts_with(preamble({}).substr(0, kVersionEnds)) &&
         from_bytes<Greeting>(bytes.substr(std::min(bytes.size(), kPreambleBytes)));
}

std::string encode(const Challenge& challenge) {
  return to_bytes(challenge);
}

std::optional<Challenge> decode_challenge(std::string_view bytes) {
  return from_bytes<Challenge>(bytes);
}

Mac proof_of_caller(const RunKey& key, const Opening& opening) {
  return authenticate(key, said(kCaller, opening));
}

bool is_proof_of_caller(std::string_view bytes, const RunKey& key, const Opening& opening) {
  return is_mac(bytes, proof_of_caller(key, opening));
}

std::string encode(const Verdict& verdict, const RunKey& key, const Opening& opening) {
  const std::string bytes = to_bytes(verdict);
  return bytes + text_of(proof_of_acceptor(bytes, key, opening));
}

std::optional<Verdict> decode_verdict(std::string_view bytes, const RunKey& key,
                                      const Opening& opening) {
  if (bytes.size() != kVerdictBytes) return std::nullopt;
  const std::string verdict(bytes.substr(0, kVerdictBytes - sizeof(Mac)));
  if (!is_mac(bytes.substr(verdict.size()), proof_of_acceptor(verdict, key, opening))) {
    return std::nullopt;
  }
  return from_bytes<Verdict>(verdict);
}

}  // namespace gradwire::transport
