#include "transport/ucx/greeting.h"

#include <string>
#include <vector>

#include <fmt/core.h>

namespace gradwire::transport::ucx {

Greeter answering(const Greeter& greeter) {
  const Peer& to = greeter.to;
  return {.lane = greeter.lane,
          .from = to.rank,
          .to = {.rank = greeter.from, .via = to.at, .at = to.via},
          .of_sender = greeter.of_receiver,
          .of_receiver = greeter.of_sender};
}

Mac greeting(const RunKey& key, const Greeter& greeter) {
  const Peer& to = greeter.to;
  const std::string channel =
      fmt::format("gradwire ucx greeting: lane {}, rank {} port {} to rank {} port {}\n",
                  greeter.lane, greeter.from.value, to.via.value, to.rank.value, to.at.value);
  std::vector<std::uint8_t> message(channel.begin(), channel.end());
  message.insert(message.end(), greeter.of_sender.begin(), greeter.of_sender.end());
  message.insert(message.end(), greeter.of_receiver.begin(), greeter.of_receiver.end());
  return authenticate(key, message);
}

}  // namespace gradwire::transport::ucx
