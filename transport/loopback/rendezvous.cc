#include "transport/loopback/rendezvous.h"

#include "core/error.h"

namespace gradwire::transport::loopback {

MeetingPoint::MeetingPoint(std::size_t ranks, Nanoseconds patience)
    : ranks_(ranks), patience_(patience), brought_(ranks) {}

std::vector<std::string> MeetingPoint::meet(Rank self, const std::string& mine) {
  std::unique_lock lock(mutex_);
  brought_[self.index()] = mine;
  const std::size_t round = round_;
  if (++present_ == ranks_) {
    gathered_ = brought_;
    present_ = 0;
    ++round_;
    complete_.notify_all();
    return gathered_;
  }
  if (!complete_.wait_for(lock, patience_, [&] { return round_ != round; })) {
    throw FabricError(FabricFailure::stalled, {.rank = self}, "not all ranks met");
  }
  return gathered_;
}

}  // namespace gradwire::transport::loopback
