#include "simulator/routes.h"

namespace gradwire::simulator {
namespace {

/// The number of messages of a channel from which on its route takes only a few bytes for each.
constexpr std::size_t kMany = 8;

}  // namespace

std::span<const LinkUse> Routes::of(const Lanes& lanes, std::uint32_t number) {
  const Channel& channel = lanes.channels()[number];
  const LaneProgram& program = lanes.lane(channel.lane).program;
  const auto find = [&] { return fabric_->route(lanes.actor(channel), lanes.peer(channel)); };
  if (program.queue(channel.number, Operation::Kind::send).size() < kMany) return last_ = find();
  if (kept_.empty()) kept_.resize(lanes.channels().size());
  Kept& kept = kept_[number];
  if (kept.count == 0) {
    const std::vector<LinkUse> route = find();
    kept = {.first = static_cast<std::uint32_t>(uses_.size()),
            .count = static_cast<std::uint32_t>(route.size())};
    uses_.insert(uses_.end(), route.begin(), route.end());
  }
  return std::span(uses_).subspan(kept.first, kept.count);
}

}  // namespace gradwire::simulator
