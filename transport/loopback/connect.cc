#include "transport/loopback/connect.h"

#include "core/lane_program.h"
#include "transport/loopback/endpoint.h"

namespace gradwire::transport::loopback {

void Fabric::inject(Rank from, Rank to, const Fault& fault) {
  const std::scoped_lock lock(mutex_);
  faults_[{from, to}] = fault;
}

std::shared_ptr<Pipe> Fabric::pipe(const Direction& direction, std::size_t messages) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Pipe>& pipe = pipes_[direction];
  const Fault& fault = faults_[{direction.from, direction.to}];
  if (!pipe) pipe = std::make_shared<Pipe>(messages, fault, clock_);
  return pipe;
}

std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self, Elements gradient,
                                               Fabric& fabric, const Cancellation& cancellation) {
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    const std::vector<Peer> peers = channels_of(plan.lanes[lane]);
    const std::vector<ChannelUse> use = channel_use(plan.lanes[lane], peers);
    const auto bell = std::make_shared<const Bell>();
    std::vector<LoopbackEndpoint::Channel> channels;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const Peer& peer = peers[i];
      auto out =
          fabric.pipe({.lane = lane, .from = self, .via = peer.via, .to = peer.rank, .at = peer.at},
                      use[i].sends);
      auto in =
          fabric.pipe({.lane = lane, .from = peer.rank, .via = peer.at, .to = self, .at = peer.via},
                      use[i].receives);
      out->attach_sender(bell);
      in->attach_receiver(bell);
      channels.push_back({.out = std::move(out),
                          .in = std::move(in),
                          .sends = PostedQueue(use[i].sends),
                          .receives = PostedQueue(use[i].receives)});
    }
    endpoints.push_back(std::make_unique<LoopbackEndpoint>(gradient, std::move(channels), bell,
                                                           cancellation, fabric.clock()));
  }
  return endpoints;
}

}  // namespace gradwire::transport::loopback
