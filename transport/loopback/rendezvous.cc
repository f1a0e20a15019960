#include "transport/loopback/rendezvous.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradwire::transport::loopback {

MeetingPoint::MeetingPoint(std::size_t ranks, Nanoseconds patience)
    : ranks_(ranks), patience_(patience), brought_(ranks), is_here_(ranks) {}

std::vector<std::string> MeetingPoint::meet(Rank self, const std::string& mine) {
  std::unique_lock lock(mutex_);
  brought_[self.index()] = mine;
  is_here_[self.index()] = true;
  const std::size_t round = round_;
  if (++present_ == ranks_) {
    gathered_ = brought_;
    present_ = 0;
    is_here_.assign(ranks_, false);
    ++round_;
    complete_.notify_all();
    return gathered_;
  }
  complete_.wait_for(lock, patience_, [&] { return round_ != round || is_closed_; });
  if (round_ != round) return gathered_;
  if (is_closed_) {
    throw FabricError(FabricFailure::cancelled, {.rank = self}, "the meeting is over");
  }
  throw missing(self);
}

void MeetingPoint::close() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  complete_.notify_all();
}

FabricError MeetingPoint::missing(Rank self) const {
  std::vector<std::size_t> absent;
  for (std::size_t i = 0; i < ranks_; ++i) {
    if (!is_here_[i]) absent.push_back(i);
  }
  return {FabricFailure::stalled,
          {.rank = self, .peer = Rank(absent.front())},
          fmt::format("rank {} did not come to the rendezvous within {}", fmt::join(absent, ", "),
                      format_duration(patience_))};
}

}  // namespace gradwire::transport::loopback
