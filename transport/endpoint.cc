#include "transport/endpoint.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::transport {

void Endpoint::move_to(Elements) {
  throw_bug("the memory of this transport stays where it is");
}

std::vector<ChannelUse> channel_use(const Lane& lane, std::span<const Peer> channels) {
  std::vector<ChannelUse> use(channels.size());
  const auto of = [&](const Peer& peer) -> ChannelUse& {
    const auto found = std::ranges::find(channels, peer);
    ensure(found != channels.end(), "the channels of a lane hold all its peers");
    return use[static_cast<std::size_t>(found - channels.begin())];
  };
  for (const Step& step : lane) {
    for (const Send& send : step.sends) ++of(send.to).sends;
    for (const Recv& recv : step.recvs) ++of(recv.from).receives;
  }
  return use;
}

}  // namespace gradwire::transport
