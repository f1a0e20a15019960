#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"
#include "transport/handshake.h"
#include "transport/store/message.h"

namespace gradwire::transport::store {

/// Record of who of a job is here, what they gather, and what went wrong first: what a store knows,
/// without its connections. A message that it returns goes to every member that is here.
class Assembly {
 public:
  /// Requires at least one rank.
  explicit Assembly(std::size_t ranks) : members_(ranks) {}

  /// Returns the decision about a caller that says that it is this rank of a job of so many.
  [[nodiscard]] Judgement judge(Rank rank, std::size_t ranks) const;
  /// A rank that is welcome is here.
  void join(Rank rank) { members_[rank.index()].came = true; }
  /// A member contributes to the gathering that is under way: what was gathered once it is the last,
  /// or a failure when somebody that it needs has left. Requires that it is here.
  [[nodiscard]] std::optional<Message> contribute(Rank rank, std::string text);
  /// A member sends a letter to another: a failure when that is no rank, not here yet, or has left.
  [[nodiscard]] std::optional<Message> post(Rank from, const Letter& letter);
  /// A member leaves, and others may go on with what needs it no more: a failure when somebody waits
  /// for it.
  [[nodiscard]] std::optional<Message> leave(Rank rank);
  /// A member is gone: a failure with this text, unless it has left or one is known.
  [[nodiscard]] std::optional<Message> lose(Rank rank, const std::string& why);
  /// A member says that it has failed: the failure, if it is the first. Where nobody is at fault, it
  /// is who is waited for.
  [[nodiscard]] std::optional<Message> fail(Rank rank, const Failure& failure);

  /// Whether a member has said that it leaves.
  [[nodiscard]] bool has_left(Rank rank) const { return members_[rank.index()].left; }
  /// Whether every rank has been here.
  [[nodiscard]] bool is_complete() const;
  /// The first failure of the job.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

 private:
  struct Member {
    bool came = false;
    bool left = false;
    std::optional<std::string> contribution;  ///< text for the gathering that is under way
  };

  /// The first rank that is not here yet, or whose contribution others wait for.
  [[nodiscard]] std::optional<Rank> awaited() const;
  [[nodiscard]] bool is_gathering() const;
  /// Keeps the first failure; nothing when there was one.
  [[nodiscard]] std::optional<Message> note(Failure failure);

  /// A letter that its receiver has not answered.
  struct Question {
    Rank from;
    Rank to;
    std::uint32_t line = 0;

    friend bool operator==(const Question&, const Question&) = default;
  };

  std::vector<Member> members_;
  std::vector<Question> questions_;
  std::optional<Failure> failure_;
};

}  // namespace gradwire::transport::store
