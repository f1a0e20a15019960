#include "transport/store/assembly.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace gradwire::transport::store {
namespace {

constexpr const char* kLeft = "it has left the job";

}  // namespace

Judgement Assembly::judge(Rank rank, std::size_t ranks) const {
  if (ranks != members_.size() || rank.index() >= members_.size()) return Judgement::others;
  return members_[rank.index()].came ? Judgement::taken : Judgement::welcome;
}

std::optional<Message> Assembly::contribute(Rank rank, std::string text) {
  members_[rank.index()].contribution = std::move(text);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (member.left && !member.contribution) return note({.culprit = Rank(i), .text = kLeft});
  }
  if (awaited()) return std::nullopt;
  std::vector<std::string> all;
  for (Member& member : members_) {
    all.push_back(std::move(*member.contribution));
    member.contribution.reset();
  }
  return message_of(Gathered{std::move(all)});
}

std::optional<Message> Assembly::post(Rank from, const Letter& letter) {
  const Rank to = letter.other;
  if (to.index() >= members_.size() || !members_[to.index()].came) {
    return note({.culprit = from, .text = "it writes to a rank that is not there"});
  }
  const Question answered{.from = to, .to = from, .line = letter.line};
  const auto found = std::ranges::find(questions_, answered);
  if (found != questions_.end()) {
    questions_.erase(found);
    return std::nullopt;
  }
  if (members_[to.index()].left) return note({.culprit = to, .text = kLeft});
  questions_.push_back({.from = from, .to = to, .line = letter.line});
  return std::nullopt;
}

std::optional<Message> Assembly::leave(Rank rank) {
  Member& member = members_[rank.index()];
  member.left = true;
  const bool is_asked = std::ranges::find(questions_, rank, &Question::to) != questions_.end();
  if (!is_asked && (member.contribution || !is_gathering())) return std::nullopt;
  return note({.culprit = rank, .text = kLeft});
}

std::optional<Message> Assembly::lose(Rank rank, const std::string& why) {
  if (members_[rank.index()].left) return std::nullopt;
  return note({.culprit = rank, .text = why});
}

std::optional<Message> Assembly::fail(Rank rank, const Failure& failure) {
  std::optional<Rank> culprit = failure.culprit;
  if (culprit && culprit->index() >= members_.size()) culprit.reset();
  if (culprit && members_[culprit->index()].left) return note({.culprit = culprit, .text = kLeft});
  if (!culprit) culprit = awaited();
  return note({.culprit = culprit.value_or(rank),
               .text = fmt::format("rank {} says: {}", rank.index(), failure.text)});
}

bool Assembly::is_complete() const {
  return std::ranges::all_of(members_, &Member::came);
}

bool Assembly::is_gathering() const {
  return std::ranges::any_of(members_,
                             [](const Member& member) { return member.contribution.has_value(); });
}

std::optional<Rank> Assembly::awaited() const {
  if (!is_gathering()) return std::nullopt;
  const auto missing = std::ranges::find_if(
      members_, [](const Member& member) { return !member.contribution.has_value(); });
  if (missing == members_.end()) return std::nullopt;
  return Rank(static_cast<std::size_t>(missing - members_.begin()));
}

std::optional<Message> Assembly::note(Failure failure) {
  if (failure_) return std::nullopt;
  failure.text.resize(std::min(failure.text.size(), kMostText));
  failure_ = std::move(failure);
  return message_of(*failure_);
}

}  // namespace gradwire::transport::store
