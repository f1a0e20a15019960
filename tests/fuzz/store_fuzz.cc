#include <optional>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "transport/store/assembly.h"
#include "transport/store/message.h"

/// What members and strangers say to a store, in whatever pieces it arrives, and what a store says to
/// members. Whoever is a member stays one, and the first failure is the only one.
namespace gradwire::transport::store {
namespace {

constexpr std::size_t kRanks = 3;

/// What is read of a message is written as that message.
template <class Body>
void check_body(const Message& message) {
  if (const auto read = body_of<Body>(message)) {
    fuzz::require(message_of(*read) == message, "a body is read as it is written");
  }
}

/// A job as its store sees it, whose members say what the input has.
class Job {
 public:
  void hear(Rank rank, const Message& message) {
    if (!here_[rank.index()]) {
      fuzz::require(assembly_.judge(rank, kRanks) == Judgement::welcome,
                    "who is not here may come");
      assembly_.join(rank);
      here_[rank.index()] = true;
    } else if (message.kind == Kind::contribution) {
      check(assembly_.contribute(rank, message.body));
    } else if (message.kind == Kind::leave) {
      check(assembly_.leave(rank));
    } else if (const auto letter = body_of<Letter>(message)) {
      check(assembly_.post(rank, *letter));
    } else if (const auto failure = body_of<Failure>(message)) {
      check(assembly_.fail(rank, *failure));
    }
  }

 private:
  void check(const std::optional<Message>& message) {
    if (!message) return;
    const auto failure = body_of<Failure>(*message);
    const auto gathered = body_of<Gathered>(*message);
    fuzz::require(failure || (gathered && gathered->texts.size() == kRanks),
                  "a store says what members read");
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
      check_body<Gathered>(*message);
      check_body<Letter>(*message);
      check_body<Failure>(*message);
      job.hear(rank, *message);
    }
  }
  return 0;
}
