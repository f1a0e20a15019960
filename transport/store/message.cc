#include "transport/store/message.h"

#include <algorithm>
#include <array>
#include <span>

namespace gradwire::transport::store {
namespace {

constexpr std::string_view kMagic = "GRADWIRE";
constexpr char kVersion = 1;
constexpr std::size_t kHeadBytes = 5;
constexpr std::uint32_t kNobody = 0xffffffff;

void append(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}

template <std::size_t size>
void append(std::string& bytes, const std::array<std::uint8_t, size>& more) {
  bytes.append(more.begin(), more.end());
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at + i])) << (8 * i);
  }
  return number;
}

template <class Array>
Array array_at(std::string_view bytes, std::size_t at) {
  Array array{};
  std::ranges::transform(bytes.substr(at, array.size()), array.begin(),
                         [](char byte) { return static_cast<std::uint8_t>(byte); });
  return array;
}

Mac authenticate(const RunKey& key, const std::string& text) {
  return transport::authenticate(key,
                                 {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string body_of(const Hello& hello) {
  std::string body;
  append(body, hello.rank.value);
  append(body, hello.ranks);
  append(body, hello.nonce);
  return body;
}
constexpr std::size_t kHelloBytes = 8 + sizeof(Nonce);

std::string body_of(const Verdict& verdict) {
  std::string body(1, static_cast<char>(verdict.judgement));
  append(body, verdict.ranks);
  append(body, verdict.job);
  return body;
}
constexpr std::size_t kVerdictBytes = 5 + sizeof(Nonce);

/// What member and store prove: different words, so that none of them passes for the other.
Mac proof_of_member(const Meeting& meeting, const RunKey& key) {
  std::string said = "gradwire member";
  append(said, meeting.greeting.nonce);
  return authenticate(key, said + body_of(meeting.hello));
}

Mac proof_of_store(const Verdict& verdict, const Meeting& meeting, const RunKey& key) {
  std::string said = "gradwire store";
  append(said, meeting.greeting.nonce);
  return authenticate(key, said + body_of(meeting.hello) + body_of(verdict));
}

bool is_kind(char letter) {
  return std::string_view("NHVCGLMFB").find(letter) != std::string_view::npos;
}

}  // namespace

std::size_t most_gathered(std::size_t ranks) {
  return std::max(ranks * (kMostContribution + 4), kMostText + 4);
}

std::string encode(const Message& message) {
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(message.body.size()));
  bytes += static_cast<char>(message.kind);
  return bytes + message.body;
}

bool MessageReader::take(std::string_view bytes) {
  if (broken_) return false;
  bytes_ += bytes;
  return true;
}

std::optional<Message> MessageReader::next() {
  if (broken_ || bytes_.size() < kHeadBytes) return std::nullopt;
  const std::size_t length = number_at(bytes_, 0);
  if (length > most_ || !is_kind(bytes_[4])) {
    broken_ = true;
    bytes_.clear();
    return std::nullopt;
  }
  if (bytes_.size() < kHeadBytes + length) return std::nullopt;
  Message message{.kind = static_cast<Kind>(bytes_[4]), .body = bytes_.substr(kHeadBytes, length)};
  bytes_.erase(0, kHeadBytes + length);
  return message;
}

Message encode(const Greeting& greeting) {
  std::string body(kMagic);
  body += kVersion;
  append(body, greeting.nonce);
  return {.kind = Kind::greeting, .body = body};
}

std::optional<Greeting> decode_greeting(const Message& message) {
  const std::string start = std::string(kMagic) + kVersion;
  if (message.kind != Kind::greeting || message.body.size() != start.size() + sizeof(Nonce) ||
      !message.body.starts_with(start)) {
    return std::nullopt;
  }
  return Greeting{.nonce = array_at<Nonce>(message.body, start.size())};
}

Message encode(const Meeting& meeting, const RunKey& key) {
  std::string body = body_of(meeting.hello);
  append(body, proof_of_member(meeting, key));
  return {.kind = Kind::hello, .body = body};
}

std::optional<ProvenHello> decode_hello(const Message& message, const Greeting& greeting,
                                        const RunKey& key) {
  const std::string& body = message.body;
  if (message.kind != Kind::hello || body.size() != kHelloBytes + sizeof(Mac)) return std::nullopt;
  const Hello hello{.rank = Rank(std::size_t{number_at(body, 0)}),
                    .ranks = number_at(body, 4),
                    .nonce = array_at<Nonce>(body, 8)};
  const Mac proof = proof_of_member({.greeting = greeting, .hello = hello}, key);
  return ProvenHello{.hello = hello, .is_proven = equal(array_at<Mac>(body, kHelloBytes), proof)};
}

Message encode(const Verdict& verdict, const Meeting& meeting, const RunKey& key) {
  std::string body = body_of(verdict);
  append(body, proof_of_store(verdict, meeting, key));
  return {.kind = Kind::verdict, .body = body};
}

std::optional<ProvenVerdict> decode_verdict(const Message& message, const Meeting& meeting,
                                            const RunKey& key) {
  const std::string& body = message.body;
  if (message.kind != Kind::verdict || body.size() != kVerdictBytes + sizeof(Mac) ||
      std::string_view("WTOS").find(body[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  const Verdict verdict{.judgement = static_cast<Judgement>(body[0]),
                        .ranks = number_at(body, 1),
                        .job = array_at<Nonce>(body, 5)};
  const Mac proof = proof_of_store(verdict, meeting, key);
  return ProvenVerdict{.verdict = verdict,
                       .is_proven = equal(array_at<Mac>(body, kVerdictBytes), proof)};
}

Message encode(const std::vector<std::string>& gathered) {
  std::string body;
  for (const std::string& one : gathered) {
    append(body, static_cast<std::uint32_t>(one.size()));
    body += one;
  }
  return {.kind = Kind::gathered, .body = std::move(body)};
}

std::optional<std::vector<std::string>> decode_gathered(const Message& message, std::size_t ranks) {
  if (message.kind != Kind::gathered) return std::nullopt;
  std::string_view left = message.body;
  std::vector<std::string> gathered;
  while (gathered.size() < ranks && left.size() >= 4) {
    const std::size_t length = number_at(left, 0);
    left.remove_prefix(4);
    if (length > left.size()) return std::nullopt;
    gathered.emplace_back(left.substr(0, length));
    left.remove_prefix(length);
  }
  if (gathered.size() != ranks || !left.empty()) return std::nullopt;
  return gathered;
}

Message encode(const Letter& letter) {
  std::string body;
  append(body, letter.other.value);
  append(body, letter.line);
  return {.kind = Kind::letter, .body = body + letter.text};
}

std::optional<Letter> decode_letter(const Message& message) {
  constexpr std::size_t kHead = 8;
  const std::string& body = message.body;
  if (message.kind != Kind::letter || body.size() < kHead) return std::nullopt;
  return Letter{.other = Rank(std::size_t{number_at(body, 0)}),
                .line = number_at(body, 4),
                .text = body.substr(kHead)};
}

Message encode(const Failure& failure) {
  std::string body;
  append(body, failure.culprit ? failure.culprit->value : kNobody);
  return {.kind = Kind::failure, .body = body + failure.text.substr(0, kMostText)};
}

std::optional<Failure> decode_failure(const Message& message) {
  const std::string& body = message.body;
  if (message.kind != Kind::failure || body.size() < 4 || body.size() > 4 + kMostText) {
    return std::nullopt;
  }
  const std::uint32_t culprit = number_at(body, 0);
  Failure failure{.text = body.substr(4)};
  if (culprit != kNobody) failure.culprit = Rank(std::size_t{culprit});
  return failure;
}

}  // namespace gradwire::transport::store
