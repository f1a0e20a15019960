#include "transport/tcp/connect.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <poll.h>

#include "core/lane_program.h"
#include "transport/tcp/acceptor.h"
#include "transport/tcp/caller.h"
#include "transport/tcp/endpoint.h"
#include "transport/tcp/socket.h"

// How two ranks come to one connection, without waiting for each other's program.
//
// First every rank listens on all its ports, then the ranks tell each other where. So nobody calls
// before the callee's kernel listens. The lower rank calls, the higher accepts, so that each
// channel gets one connection and not two. A rank goes on with its calls and its doors in turn, as
// news come, and blocks for none of them: no two ranks can wait for each other here.
//
// Both ends prove that they have the run's key before a channel has its connection
// (transport/handshake.h). Strangers may find the ports; what they get is told in
// transport/acceptor.h.
namespace gradwire::transport::tcp {
namespace {

/// Returns the addresses at which every rank listens: [rank][port].
std::vector<std::vector<Listening>> exchange_listeners(std::span<const FileDescriptor> listeners,
                                                       Rendezvous& rendezvous) {
  std::vector<Listening> mine;
  for (const FileDescriptor& listener : listeners) mine.push_back(address_of(listener.get()));
  return rendezvous.all_gather(mine);
}

/// Connector of one rank.
class Connector {
 public:
  /// Notes both arguments, which must outlive it. Blocks until all ranks listen.
  Connector(const Bootstrap& bootstrap, const ConnectOptions& options)
      : bootstrap_(bootstrap),
        options_(options),
        wanted_(channels(bootstrap.plan)),
        caller_({.self = bootstrap.self,
                 .key = options.key,
                 .ports = bootstrap.ports,
                 .clock = bootstrap.clock}),
        acceptor_(listen(), {.self = bootstrap.self,
                             .key = options.key,
                             .expected = expected(),
                             .clock = bootstrap.clock}),
        deadline_(bootstrap.clock, options.timeout) {}

  /// Connects all channels. Blocks until each has its connection.
  std::map<ChannelName, FileDescriptor> run() {
    while (!caller_.is_done() || !acceptor_.is_done()) work();
    return std::move(made_);
  }

 private:
  static std::vector<ChannelName> channels(const Plan& plan) {
    std::vector<ChannelName> all;
    for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
      for (const Peer& peer : channels_of(plan.lanes[lane])) all.push_back({lane, peer});
    }
    return all;
  }

  /// The channels that this rank's peers connect.
  std::vector<ChannelName> expected() const {
    std::vector<ChannelName> theirs;
    for (const ChannelName& channel : wanted_) {
      if (channel.peer.rank < bootstrap_.self) theirs.push_back(channel);
    }
    return theirs;
  }

  /// Listens on all ports, learns where the others listen, and registers the calls to make.
  std::vector<FileDescriptor> listen() {
    std::vector<FileDescriptor> listeners;
    for (const PortBinding& port : bootstrap_.ports) listeners.push_back(listen_on(port));
    const auto listening = exchange_listeners(listeners, bootstrap_.rendezvous);
    for (const ChannelName& channel : wanted_) {
      const Peer& peer = channel.peer;
      if (peer.rank < bootstrap_.self) continue;
      ensure(peer.rank.index() < listening.size() &&
                 peer.at.index() < listening[peer.rank.index()].size() &&
                 peer.via.index() < bootstrap_.ports.size(),
             "the ranks and ports of the Plan exist");
      caller_.call(channel, listening[peer.rank.index()][peer.at.index()]);
    }
    return listeners;
  }

  /// Waits for events and handles them.
  void work() {
    std::vector<pollfd> polled{
        {.fd = bootstrap_.cancellation.fd(), .events = POLLIN, .revents = 0}};
    caller_.watch(polled);
    const std::size_t calls = polled.size() - 1;
    acceptor_.watch(polled);
    if (::poll(polled.data(), polled.size(), patience()) < 0 && errno != EINTR) {
      throw SystemError("poll", errno);
    }
    if (bootstrap_.cancellation.requested()) {
      throw FabricError(FabricFailure::cancelled, {.rank = bootstrap_.self},
                        "given up while connecting");
    }
    const auto news = std::span(polled).subspan(1);
    caller_.work(news.first(calls));
    acceptor_.work(news.subspan(calls));
    for (auto& [channel, connection] : caller_.take_connected()) {
      made_.emplace(channel, std::move(connection));
    }
    for (auto& [channel, connection] : acceptor_.take_admitted()) {
      made_.emplace(channel, std::move(connection));
    }
    if (deadline_.passed() && made_.size() < wanted_.size()) throw missing();
  }

  /// Milliseconds until something must be done even without events.
  int patience() const {
    constexpr Nanoseconds kTick = std::chrono::milliseconds(100);  // how late a deadline is noticed
    const Nanoseconds left = caller_.next_time() - bootstrap_.clock.now();
    const auto rounded_up =
        std::chrono::ceil<std::chrono::milliseconds>(std::clamp(left, Nanoseconds::zero(), kTick));
    return static_cast<int>(rounded_up.count());
  }

  /// The error to throw at the timeout, about the first channel without a connection.
  FabricError missing() const {
    const auto absent = std::ranges::find_if(
        wanted_, [this](const ChannelName& channel) { return !made_.contains(channel); });
    const std::string time = format_duration(options_.timeout);
    if (bootstrap_.self < absent->peer.rank) {
      return refused(bootstrap_.self, *absent,
                     fmt::format("no connection within {}: {}", time, caller_.obstacle(*absent)));
    }
    std::string detail = fmt::format("the peer did not connect within {}", time);
    if (acceptor_.dropped() > 0) {
      detail +=
          fmt::format("; dropped {} connections that are not of this run", acceptor_.dropped());
    }
    if (acceptor_.accept_error() != 0) {
      const std::string reason = std::generic_category().message(acceptor_.accept_error());
      detail += fmt::format("; accept: {}", reason);
    }
    return refused(bootstrap_.self, *absent, detail);
  }

  const Bootstrap& bootstrap_;
  const ConnectOptions& options_;
  std::vector<ChannelName> wanted_;  ///< all channels of all lanes
  Caller caller_;
  Acceptor acceptor_;
  Deadline deadline_;  ///< deadline that counts from when all listen: others may have come late
  std::map<ChannelName, FileDescriptor> made_;
};

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options) {
  // The doors close with the connector: whoever calls later is refused at once, not after a timeout.
  std::map<ChannelName, FileDescriptor> connections = Connector(bootstrap, options).run();
  const std::vector<Lane>& lanes = bootstrap.plan.lanes;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::vector<Peer> peers = channels_of(lanes[lane]);
    const std::vector<ChannelUse> use = channel_use(lanes[lane], peers);
    std::vector<TcpEndpoint::Channel> channels;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      FileDescriptor& connection = connections.at({lane, peers[i]});
      configure(connection.get(), options.unacknowledged);
      channels.push_back({.connection = std::move(connection),
                          .sends = PostedQueue(use[i].sends),
                          .receives = PostedQueue(use[i].receives),
                          .outgoing = Frame(options.check_frames),
                          .incoming = Frame(options.check_frames)});
    }
    endpoints.push_back(std::make_unique<TcpEndpoint>(bootstrap.gradient, std::move(channels),
                                                      bootstrap.cancellation,
                                                      hold_patience(options.rate)));
  }
  bootstrap.rendezvous.barrier();
  return endpoints;
}

}  // namespace gradwire::transport::tcp
