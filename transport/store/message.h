#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/binary.h"
#include "core/fields.h"
#include "core/id.h"
#include "core/units.h"

/// Messages between a job's members and the store at which they meet, once both have proven the
/// secret (transport/handshake.h). A member sends what it contributes to a gathering,
/// letters to other members, that it leaves, or that it has failed; the store answers with what was
/// gathered, with the letters of others, or with the first failure of the job. Both send beats. A
/// message is four bytes of length, little-endian, a letter for its kind, and a body of that length,
/// as core/binary.h writes it.
namespace gradwire::transport::store {

/// The kinds of messages, by their letters.
enum class Kind : std::uint8_t {
  contribution = 'C',
  gathered = 'G',
  leave = 'L',
  letter = 'M',
  failure = 'F',
  beat = 'B',  ///< nothing but that the sender's process runs
};

/// One message.
struct Message {
  Kind kind = Kind::beat;
  std::string body;

  friend bool operator==(const Message&, const Message&) = default;
};

/// The most bytes that a member contributes to a gathering.
inline constexpr std::size_t kMostContribution = std::size_t{1} << 20;
/// The most bytes that the body of a Letter or Failure has beside its text.
inline constexpr std::size_t kEnvelope = 16;
/// Members and the store send a beat this often, whatever else they send or receive.
inline constexpr Nanoseconds kBetweenBeats = std::chrono::milliseconds(200);
/// Silence that means that a peer stands still, or is gone though something holds its connection:
/// a process that it forked, or a host that has lost its power.
inline constexpr Nanoseconds kSilence = std::chrono::milliseconds(1500);
/// The most bytes of a failure's text.
inline constexpr std::size_t kMostText = 2000;
/// The most bytes of a body that the store sends to the members of so many.
[[nodiscard]] std::size_t most_gathered(std::size_t ranks);

/// The bytes of a message.
[[nodiscard]] std::string encode(const Message& message);

/// Takes messages out of bytes as they arrive.
class MessageReader {
 public:
  /// Bodies of more bytes are refused.
  explicit MessageReader(std::size_t most) : most_(most) {}

  /// Takes bytes that have arrived. False, and nothing is taken, once something was refused.
  [[nodiscard]] bool take(std::string_view bytes);
  /// The next whole message. Nothing when there is none yet, or when one was refused: one that is too
  /// long, or of no kind.
  [[nodiscard]] std::optional<Message> next();
  /// Whether something was refused: nothing that follows means anything.
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  std::size_t most_;
  std::string bytes_;
  bool broken_ = false;
};

/// The texts that were gathered.
struct Gathered {
  static constexpr Kind kKind = Kind::gathered;

  std::vector<std::string> texts;  ///< by rank

  friend bool operator==(const Gathered&, const Gathered&) = default;
  static constexpr auto kFields = fields(field("texts", &Gathered::texts));
};

/// Message from a member to one other. It is answered by another of the same line.
struct Letter {
  static constexpr Kind kKind = Kind::letter;

  Rank other;              ///< the rank to which it goes, or from which it came
  std::uint32_t line = 0;  ///< a number that both know, which tells what it is about
  std::string text;

  friend bool operator==(const Letter&, const Letter&) = default;
  static constexpr auto kFields = fields(
      field("other", &Letter::other), field("line", &Letter::line), field("text", &Letter::text));
};

/// Reason why a job cannot go on: who is at fault, if that is known, and what happened.
struct Failure {
  static constexpr Kind kKind = Kind::failure;

  std::optional<Rank> culprit;
  std::string text;

  friend bool operator==(const Failure&, const Failure&) = default;
  static constexpr auto kFields =
      fields(field("culprit", &Failure::culprit), field("text", &Failure::text));
};

/// A Gathered, Letter or Failure as a message.
template <HasFields Body>
[[nodiscard]] Message message_of(const Body& body) {
  return {.kind = Body::kKind, .body = to_bytes(body)};
}
/// The body of a message. Nothing for a message of another kind, or that is not what message_of()
/// makes.
template <HasFields Body>
[[nodiscard]] std::optional<Body> body_of(const Message& message) {
  if (message.kind != Body::kKind) return std::nullopt;
  return from_bytes<Body>(message.body);
}

}  // namespace gradwire::transport::store
