#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/units.h"
#include "transport/authentication.h"

/// What the members of a job and the store at which they meet say to each other. Nobody says the
/// secret; both prove that they have it:
///
///     member                                  store
///                                    <-------  Greeting: nonce
///       Hello: rank, ranks, nonce, MAC ------>
///                                    <-------  Verdict: welcome or why not, the job's number, MAC
///
/// Afterwards a member sends what it contributes to a gathering, letters to other members, that it
/// leaves, or that it has failed, and now and then that it runs; the store answers with what was
/// gathered, with the letters of others, or with the first failure of the job. A message is four bytes of length, little-endian, a letter for its kind, and a body of that length. Numbers
/// in bodies are little-endian.
namespace gradwire::transport::store {

/// The kinds of messages, by their letters.
enum class Kind : std::uint8_t {
  greeting = 'N',
  hello = 'H',
  verdict = 'V',
  contribution = 'C',
  gathered = 'G',
  leave = 'L',
  letter = 'M',
  failure = 'F',
  beat = 'B',  ///< nothing but that the member's process runs
};

/// One message.
struct Message {
  Kind kind = Kind::greeting;
  std::string body;

  friend bool operator==(const Message&, const Message&) = default;
};

/// The most bytes of a body before the one who sends it is known.
inline constexpr std::size_t kMostStrangerBytes = 128;
/// The most bytes that a member contributes to a gathering.
inline constexpr std::size_t kMostContribution = std::size_t{1} << 20;
/// A member that runs says something this often.
inline constexpr Nanoseconds kBetweenBeats = std::chrono::milliseconds(200);
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

  /// Refuses bodies of more bytes from here on.
  void allow(std::size_t most) { most_ = most; }
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

/// What the store says first: "GRADWIRE", its version, and a number that is used once.
struct Greeting {
  Nonce nonce{};
};

/// What a member says of itself.
struct Hello {
  Rank rank;
  std::uint32_t ranks = 0;  ///< of the job
  Nonce nonce{};
};

/// What becomes of who says Hello.
enum class Judgement : std::uint8_t {
  welcome = 'W',  ///< it is a member
  taken = 'T',    ///< its rank is here already
  others = 'O',   ///< its job has another number of ranks
  secret = 'S',   ///< its proof is made with another secret
};

/// The store's answer.
struct Verdict {
  Judgement judgement = Judgement::welcome;
  std::uint32_t ranks = 0;  ///< of the store's job
  Nonce job{};              ///< the job's number, of which members make its key
};

/// All that was said before the store judges.
struct Meeting {
  Greeting greeting;
  Hello hello;
};

[[nodiscard]] Message encode(const Greeting& greeting);
/// Nothing for anything but the Greeting of a store of this version.
[[nodiscard]] std::optional<Greeting> decode_greeting(const Message& message);

/// With the member's proof that it has the key.
[[nodiscard]] Message encode(const Meeting& meeting, const RunKey& key);
/// A Hello, and whether its proof answers the greeting under the key.
struct ProvenHello {
  Hello hello;
  bool is_proven = false;
};
/// Nothing for anything but a Hello.
[[nodiscard]] std::optional<ProvenHello> decode_hello(const Message& message,
                                                      const Greeting& greeting, const RunKey& key);

/// With the store's proof that it has the key.
[[nodiscard]] Message encode(const Verdict& verdict, const Meeting& meeting, const RunKey& key);
/// A Verdict, and whether it is of a store that has the key.
struct ProvenVerdict {
  Verdict verdict;
  bool is_proven = false;
};
/// Nothing for anything but a Verdict.
[[nodiscard]] std::optional<ProvenVerdict> decode_verdict(const Message& message,
                                                          const Meeting& meeting,
                                                          const RunKey& key);

/// What was gathered, by rank.
[[nodiscard]] Message encode(const std::vector<std::string>& gathered);
/// Nothing for anything but what was gathered of so many ranks.
[[nodiscard]] std::optional<std::vector<std::string>> decode_gathered(const Message& message,
                                                                      std::size_t ranks);

/// What a member tells one other. It is answered by another of the same line.
struct Letter {
  Rank other;              ///< to whom it is, or from whom it came
  std::uint32_t line = 0;  ///< a number that both know, which tells what it is about
  std::string text;

  friend bool operator==(const Letter&, const Letter&) = default;
};
[[nodiscard]] Message encode(const Letter& letter);
/// Nothing for anything but a Letter.
[[nodiscard]] std::optional<Letter> decode_letter(const Message& message);

/// Why a job cannot go on: who is at fault, if that is known, and what happened.
struct Failure {
  std::optional<Rank> culprit;
  std::string text;  ///< at most kMostText bytes count

  friend bool operator==(const Failure&, const Failure&) = default;
};
[[nodiscard]] Message encode(const Failure& failure);
/// Nothing for anything but a Failure.
[[nodiscard]] std::optional<Failure> decode_failure(const Message& message);

}  // namespace gradwire::transport::store
