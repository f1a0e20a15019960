#include <optional>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "transport/store/assembly.h"
#include "transport/store/message.h"

/// What members and strangers say to a store, in whatever pieces it arrives, and what a store says to
/// members. Whoever is a member stays one, and the first failure is the only one.
namespace gradwire::transport::store {
namespace {

constexpr RunKey kKey{1, 2, 3};
constexpr std::size_t kRanks = 3;
const Greeting kGreeting{.nonce = {4, 5}};
const Meeting kMeeting{.greeting = kGreeting, .hello = {.rank = Rank(1), .ranks = kRanks}};

/// What is read of a message is written as that message, but for what its proof is.
void check_message(const Message& message) {
  if (const auto read = decode_greeting(message)) {
    fuzz::require(encode(*read) == message, "a Greeting is read as it is written");
  }
  if (const auto read = decode_hello(message, kGreeting, kKey)) {
    const Message again = encode({.greeting = kGreeting, .hello = read->hello}, kKey);
    fuzz::require((again == message) == read->is_proven, "a Hello is proven by its bytes alone");
  }
  if (const auto read = decode_verdict(message, kMeeting, kKey)) {
    const Message again = encode(read->verdict, kMeeting, kKey);
    fuzz::require((again == message) == read->is_proven, "a Verdict is proven by its bytes alone");
  }
  if (const auto read = decode_gathered(message, kRanks)) {
    fuzz::require(encode(*read) == message, "what was gathered is read as it is written");
  }
  if (const auto read = decode_letter(message)) {
    fuzz::require(encode(*read) == message, "a Letter is read as it is written");
  }
  if (const auto read = decode_failure(message)) {
    fuzz::require(encode(*read) == message, "a Failure is read as it is written");
  }
}

/// A job as its store sees it, whose members say what the input has.
class Job {
 public:
  void hear(Rank rank, const Message& message) {
    if (!here_[rank.index()]) {
      here_[rank.index()] = assembly_.join(rank, kRanks) == Judgement::welcome;
    } else if (message.kind == Kind::contribution) {
      check(assembly_.contribute(rank, message.body));
    } else if (message.kind == Kind::leave) {
      check(assembly_.leave(rank));
    } else if (const auto letter = decode_letter(message)) {
      check(assembly_.post(rank, *letter));
    } else if (const auto failure = decode_failure(message)) {
      check(assembly_.fail(rank, *failure));
    }
  }

 private:
  void check(const std::optional<Message>& message) {
    if (!message) return;
    const auto failure = decode_failure(*message);
    fuzz::require(failure || decode_gathered(*message, kRanks), "a store says what members read");
    fuzz::require(!failure || !failed_, "there is one failure");
    fuzz::require(!failure || !failure->culprit || failure->culprit->index() < kRanks,
                  "a rank is at fault");
    failed_ = failed_ || failure.has_value();
  }

  Assembly assembly_{kRanks};
  bool here_[kRanks] = {};
  bool failed_ = false;
};

}  // namespace
}  // namespace gradwire::transport::store

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport::store;
  fuzz::Choices choices(data, size);
  Job job;
  MessageReader reader(1000);
  while (!choices.done()) {
    const Rank rank(choices.below(kRanks));
    const auto piece = choices.take(choices.byte());
    if (!reader.take(fuzz::text_of(piece.data(), piece.size()))) {
      fuzz::require(reader.is_broken(), "a reader that takes nothing says why");
      return 0;
    }
    while (const auto message = reader.next()) {
      fuzz::require(message->body.size() <= 1000, "no message is longer than is allowed");
      check_message(*message);
      job.hear(rank, *message);
    }
  }
  return 0;
}
