#include "transport/tcp/acceptor.h"

#include <algorithm>

namespace gradwire::transport::tcp {

Acceptor::Acceptor(std::vector<FileDescriptor> listeners, const Options& options)
    : transport::Acceptor(std::move(listeners), {.purpose = Purpose::tcp,
                                                 .self = options.self,
                                                 .key = options.key,
                                                 .clock = options.clock}),
      expected_(options.expected.begin(), options.expected.end()) {}

std::vector<std::pair<ChannelName, FileDescriptor>> Acceptor::take_admitted() {
  return std::exchange(ready_, {});
}

Verdict Acceptor::judge(const Greeting& greeting, Port port) {
  const ChannelName channel = channel_of(greeting);
  if (!expected_.contains(channel) || greeting.at != port) return {Judgement::unknown};
  return {admitted_.contains(channel) ? Judgement::taken : Judgement::welcome};
}

void Acceptor::admit(const Greeting& greeting, FileDescriptor connection) {
  const ChannelName channel = channel_of(greeting);
  admitted_.insert(channel);
  ready_.emplace_back(channel, std::move(connection));
}

bool Acceptor::is_open(Port port) const {
  return std::ranges::any_of(expected_, [&](const ChannelName& channel) {
    return channel.peer.via == port && !admitted_.contains(channel);
  });
}

}  // namespace gradwire::transport::tcp
