#include "transport/tcp/connect.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/lane_program.h"
#include "transport/tcp/endpoint.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::tcp {
namespace {

constexpr Nanoseconds kHelloTimeout = std::chrono::seconds(2);
constexpr std::size_t kMostPending = 256;

/// A channel as this rank knows it.
struct Wanted {
  std::size_t lane;
  Peer peer;
  friend auto operator<=>(const Wanted&, const Wanted&) = default;
};

/// A connection whose Hello has not arrived in full.
struct Pending {
  FileDescriptor connection;
  Port port;
  Deadline deadline;
  std::array<std::uint8_t, kHelloBytes> hello{};
  std::size_t received = 0;
};

FabricError refused(Rank self, const Wanted& wanted, const std::string& detail) {
  return {FabricFailure::refused,
          {.rank = self, .peer = wanted.peer.rank, .port = wanted.peer.via, .lane = wanted.lane},
          detail};
}

/// Where every rank listens: [rank][port], exchanged as lines of "address port".
std::vector<std::vector<Listening>> exchange_listeners(std::span<const FileDescriptor> listeners,
                                                       Rendezvous& rendezvous) {
  std::string mine;
  for (const FileDescriptor& listener : listeners) {
    const Listening listening = address_of(listener.get());
    mine += fmt::format("{} {}\n", listening.address, listening.port);
  }
  std::vector<std::vector<Listening>> all;
  for (const std::string& theirs : rendezvous.all_gather(mine)) {
    std::istringstream lines(theirs);
    std::vector<Listening> ports;
    for (Listening listening; lines >> listening.address >> listening.port;) {
      ports.push_back(listening);
    }
    all.push_back(std::move(ports));
  }
  return all;
}

/// Makes the connections of one rank.
class Connector {
 public:
  Connector(Rank self, std::span<const PortBinding> ports, std::vector<Wanted> wanted,
            const Cancellation& cancellation, const Clock& clock, const ConnectOptions& options)
      : self_(self),
        ports_(ports),
        wanted_(std::move(wanted)),
        cancellation_(cancellation),
        clock_(clock),
        options_(options),
        deadline_(clock, options.timeout) {}

  std::map<Wanted, FileDescriptor> run(Rendezvous& rendezvous) {
    for (const PortBinding& port : ports_) listeners_.push_back(listen_on(port));
    const auto listening = exchange_listeners(listeners_, rendezvous);
    deadline_ = Deadline(clock_, options_.timeout);  // others may have come late
    for (const Wanted& wanted : wanted_) {
      if (self_ < wanted.peer.rank) call(wanted, listening);
    }
    while (made_.size() < wanted_.size()) accept_some();
    for (const Wanted& wanted : wanted_) {
      if (self_ < wanted.peer.rank) await_welcome(wanted);
    }
    return std::move(made_);
  }

 private:
  void call(const Wanted& wanted, const std::vector<std::vector<Listening>>& listening) {
    const Peer& peer = wanted.peer;
    ensure(peer.rank.index() < listening.size() &&
               peer.at.index() < listening[peer.rank.index()].size() &&
               peer.via.index() < ports_.size(),
           "the Plan's ports exist");
    try {
      FileDescriptor connection = connect_from(
          ports_[peer.via.index()], listening[peer.rank.index()][peer.at.index()], deadline_);
      const auto hello = encode({.key = options_.key,
                                 .lane = static_cast<std::uint32_t>(wanted.lane),
                                 .from = self_,
                                 .via = peer.via,
                                 .to = peer.rank,
                                 .at = peer.at});
      const ssize_t sent = ::send(connection.get(), hello.data(), hello.size(), MSG_NOSIGNAL);
      if (sent != static_cast<ssize_t>(hello.size())) throw SystemError("send hello", errno);
      made_.emplace(wanted, std::move(connection));
    } catch (const SystemError& error) {
      throw refused(self_, wanted, error.what());
    }
  }

  /// Waits for, and takes, new connections and their Hellos.
  void accept_some() {
    std::vector<pollfd> polled{{.fd = cancellation_.fd(), .events = POLLIN, .revents = 0}};
    for (const auto& listener : listeners_) polled.push_back({listener.get(), POLLIN, 0});
    for (const auto& pending : pending_) polled.push_back({pending.connection.get(), POLLIN, 0});
    constexpr int kTick = 100;  // milliseconds: how late a silent stranger is noticed
    if (::poll(polled.data(), polled.size(), kTick) < 0 && errno != EINTR) {
      throw SystemError("poll", errno);
    }
    if (cancellation_.requested()) {
      throw FabricError(FabricFailure::cancelled, {.rank = self_}, "given up while connecting");
    }
    std::erase_if(pending_, [this](Pending& pending) { return settle(pending); });
    for (std::size_t port = 0; port < listeners_.size(); ++port) take(Port(port));
    if (deadline_.passed()) throw missing();
  }

  void take(Port port) {
    while (pending_.size() < kMostPending) {
      FileDescriptor connection(::accept4(listeners_[port.index()].get(), nullptr, nullptr,
                                          SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!connection) {
        if (errno != EAGAIN) accept_error_ = errno;  // may pass when strangers are dropped
        return;
      }
      pending_.push_back({.connection = std::move(connection),
                          .port = port,
                          .deadline = Deadline(clock_, kHelloTimeout)});
    }
  }

  /// Reads on; true when the connection is welcomed or dropped.
  bool settle(Pending& pending) {
    const ssize_t got = ::recv(pending.connection.get(), pending.hello.data() + pending.received,
                               kHelloBytes - pending.received, 0);
    if (got == 0) return true;
    if (got < 0) {
      const bool waits = errno == EAGAIN || errno == EINTR;
      return !waits || pending.deadline.passed();
    }
    pending.received += static_cast<std::size_t>(got);
    if (pending.received < kHelloBytes) return false;
    welcome(pending);
    return true;
  }

  void welcome(Pending& pending) {
    const std::optional<Hello> hello = decode(pending.hello, options_.key);
    if (!hello || hello->to != self_ || hello->at != pending.port) return;
    const Wanted wanted{.lane = hello->lane,
                        .peer = {.rank = hello->from, .via = hello->at, .at = hello->via}};
    const bool expected =
        wanted.peer.rank < self_ && std::ranges::find(wanted_, wanted) != wanted_.end();
    if (!expected || made_.contains(wanted)) return;
    if (::send(pending.connection.get(), &kWelcome, 1, MSG_NOSIGNAL) != 1) return;
    made_.emplace(wanted, std::move(pending.connection));
  }

  void await_welcome(const Wanted& wanted) {
    const int connection = made_.at(wanted).get();
    std::uint8_t answer = 0;
    if (!wait_for(connection, POLLIN, deadline_)) {
      throw refused(self_, wanted, "the peer did not answer in time");
    }
    const ssize_t got = ::recv(connection, &answer, 1, 0);
    if (got != 1 || answer != kWelcome) {
      throw refused(self_, wanted, "the peer closed the connection instead of welcoming it");
    }
  }

  FabricError missing() const {
    const auto absent = std::ranges::find_if(
        wanted_, [this](const Wanted& wanted) { return !made_.contains(wanted); });
    std::string detail =
        fmt::format("the peer did not connect within {}", format_duration(options_.timeout));
    if (accept_error_ != 0) {
      detail += fmt::format("; accept: {}", std::generic_category().message(accept_error_));
    }
    return refused(self_, *absent, detail);
  }

  Rank self_;
  std::span<const PortBinding> ports_;
  std::vector<Wanted> wanted_;
  const Cancellation& cancellation_;
  const Clock& clock_;
  const ConnectOptions& options_;
  Deadline deadline_;
  std::vector<FileDescriptor> listeners_;
  std::vector<Pending> pending_;
  std::map<Wanted, FileDescriptor> made_;
  int accept_error_ = 0;  ///< the last that was not for want of a connection
};

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                               std::span<float> gradient,
                                               std::span<const PortBinding> ports,
                                               Rendezvous& rendezvous,
                                               const Cancellation& cancellation, const Clock& clock,
                                               const ConnectOptions& options) {
  std::vector<Wanted> wanted;
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    for (const Peer& peer : channels_of(plan.lanes[lane])) wanted.push_back({lane, peer});
  }
  Connector connector(self, ports, wanted, cancellation, clock, options);
  std::map<Wanted, FileDescriptor> connections = connector.run(rendezvous);

  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    const std::vector<Peer> peers = channels_of(plan.lanes[lane]);
    const std::vector<ChannelUse> use = channel_use(plan.lanes[lane], peers);
    std::vector<TcpEndpoint::Channel> channels;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      FileDescriptor& connection = connections.at({lane, peers[i]});
      configure(connection.get(), options.unacknowledged);
      channels.push_back({.connection = std::move(connection),
                          .sends = PostedQueue(use[i].sends),
                          .receives = PostedQueue(use[i].receives)});
    }
    endpoints.push_back(std::make_unique<TcpEndpoint>(gradient, std::move(channels), cancellation));
  }
  rendezvous.barrier();
  return endpoints;
}

}  // namespace gradwire::transport::tcp
