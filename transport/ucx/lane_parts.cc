#include "transport/ucx/lane_parts.h"

#include <mutex>
#include <utility>

#include "core/lane_program.h"
#include "transport/ucx/endpoint.h"

namespace gradwire::transport::ucx {

void leave_behind(std::vector<LaneParts> lanes) {
  static std::mutex mutex;
  static auto* const left = new std::vector<std::vector<LaneParts>>;
  const std::scoped_lock lock(mutex);
  left->push_back(std::move(lanes));
}

std::unique_ptr<Endpoint> make_endpoint(const Bootstrap& bootstrap, const ConnectOptions& options,
                                        std::size_t number,
                                        std::unique_ptr<device::LaneMemory> memory,
                                        LaneParts parts) {
  const Lane& lane = bootstrap.plan.lanes[number];
  const std::vector<ChannelUse> use = channel_use(lane, parts.peers);
  std::vector<UcxEndpoint::Channel> channels;
  for (std::size_t i = 0; i < parts.peers.size(); ++i) {
    channels.push_back({.connection = std::move(parts.connections[i]),
                        .use = use[i],
                        .largest_add = most_added(lane, parts.peers[i])});
  }
  std::vector<std::unique_ptr<Worker>> workers;
  for (auto& [port, worker] : parts.workers) workers.push_back(std::move(worker));
  const std::size_t element_bytes = memory->element_bytes();
  return std::make_unique<UcxEndpoint>(
      std::move(memory), std::move(workers), std::move(channels),
      UcxEndpoint::Options{
          .cutting = {.elements = options.segment / element_bytes, .window = options.window},
          .poll = options.poll,
          .registered = options.context.wire == Wire::rc,
          .cancellation = bootstrap.cancellation,
          .clock = bootstrap.clock,
          .place = {.rank = bootstrap.self, .lane = number}});
}

}  // namespace gradwire::transport::ucx
