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

// How two ranks come to one connection, without waiting for each other's program.
//
// First every rank listens on all its ports, then the ranks tell each other where. So nobody calls
// before the callee's kernel listens, and the kernel completes a connection even while the callee's
// program is itself busy calling: no two ranks can wait for each other here. The lower rank calls,
// the higher accepts, so that each channel gets one connection and not two.
//
// Whoever calls begins with a Hello, which names the channel and proves that it knows the run's
// key. It is smaller than any socket's buffer, so that sending it does not block. Only its answer,
// the Welcome, says that the program at the other end has taken the connection: the kernel alone
// would also complete one that nobody ever accepts.
//
// Strangers may find the ports. They get nothing but time to say a Hello, and not much of that; how
// many of them wait at a time is bounded, so that they cannot take all descriptors.
namespace gradwire::transport::tcp {
namespace {

/// How long a connection may take to say who it is.
constexpr Nanoseconds kHelloTimeout = std::chrono::seconds(2);
/// Connections whose Hello is awaited at a time. More stay in the kernel's backlog.
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
  /// Both must outlive it.
  Connector(const Bootstrap& bootstrap, const ConnectOptions& options)
      : bootstrap_(bootstrap), options_(options), deadline_(bootstrap.clock, options.timeout) {
    const std::vector<Lane>& lanes = bootstrap.plan.lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const Peer& peer : channels_of(lanes[lane])) wanted_.push_back({lane, peer});
    }
  }

  /// Blocks until every channel has its connection.
  std::map<Wanted, FileDescriptor> run() {
    for (const PortBinding& port : bootstrap_.ports) listeners_.push_back(listen_on(port));
    const auto listening = exchange_listeners(listeners_, bootstrap_.rendezvous);
    deadline_ = Deadline(bootstrap_.clock, options_.timeout);  // others may have come late
    for (const Wanted& wanted : wanted_) {
      if (bootstrap_.self < wanted.peer.rank) call(wanted, listening);
    }
    // Welcomes are awaited last: their senders may still be calling others, or us.
    while (made_.size() < wanted_.size()) accept_some();
    for (const Wanted& wanted : wanted_) {
      if (bootstrap_.self < wanted.peer.rank) await_welcome(wanted);
    }
    return std::move(made_);
  }

 private:
  /// Connects to a peer and says Hello.
  void call(const Wanted& wanted, const std::vector<std::vector<Listening>>& listening) {
    const Peer& peer = wanted.peer;
    ensure(peer.rank.index() < listening.size() &&
               peer.at.index() < listening[peer.rank.index()].size() &&
               peer.via.index() < bootstrap_.ports.size(),
           "the ranks and ports of the Plan exist");
    try {
      FileDescriptor connection =
          connect_from(bootstrap_.ports[peer.via.index()],
                       listening[peer.rank.index()][peer.at.index()], deadline_);
      const auto hello = encode({.key = options_.key,
                                 .lane = static_cast<std::uint32_t>(wanted.lane),
                                 .from = bootstrap_.self,
                                 .via = peer.via,
                                 .to = peer.rank,
                                 .at = peer.at});
      const ssize_t sent = ::send(connection.get(), hello.data(), hello.size(), MSG_NOSIGNAL);
      if (sent != static_cast<ssize_t>(hello.size())) throw SystemError("send hello", errno);
      made_.emplace(wanted, std::move(connection));
    } catch (const SystemError& error) {
      throw refused(wanted, error.what());
    }
  }

  /// Waits for, and takes, new connections and their Hellos.
  void accept_some() {
    std::vector<pollfd> polled{
        {.fd = bootstrap_.cancellation.fd(), .events = POLLIN, .revents = 0}};
    for (const auto& listener : listeners_) polled.push_back({listener.get(), POLLIN, 0});
    for (const auto& pending : pending_) polled.push_back({pending.connection.get(), POLLIN, 0});
    constexpr int kTick = 100;  // milliseconds: how late a silent stranger is noticed
    if (::poll(polled.data(), polled.size(), kTick) < 0 && errno != EINTR) {
      throw SystemError("poll", errno);
    }
    if (bootstrap_.cancellation.requested()) {
      throw FabricError(FabricFailure::cancelled, {.rank = bootstrap_.self},
                        "given up while connecting");
    }
    // Settled before more is taken, so that those that were dropped make room.
    std::erase_if(pending_, [this](Pending& pending) { return settle(pending); });
    for (std::size_t port = 0; port < listeners_.size(); ++port) take(Port(port));
    if (deadline_.passed()) throw missing();
  }

  /// Accepts what has connected to a port, as far as there is room.
  void take(Port port) {
    while (pending_.size() < kMostPending) {
      FileDescriptor connection(::accept4(listeners_[port.index()].get(), nullptr, nullptr,
                                          SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!connection) {
        // Want of descriptors may pass when strangers are dropped; told only if it does not.
        if (errno != EAGAIN) accept_error_ = errno;
        return;
      }
      pending_.push_back({.connection = std::move(connection),
                          .port = port,
                          .deadline = Deadline(bootstrap_.clock, kHelloTimeout)});
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

  /// Takes the connection for the channel that its Hello names, or drops it: when it is a
  /// stranger's, when it came to another port than it says, when this rank expects no such caller,
  /// and when the channel has a connection already.
  void welcome(Pending& pending) {
    const std::optional<Hello> hello = decode(pending.hello, options_.key);
    if (!hello || hello->to != bootstrap_.self || hello->at != pending.port) return;
    // The caller's ports are the other way round here.
    const Wanted wanted{.lane = hello->lane,
                        .peer = {.rank = hello->from, .via = hello->at, .at = hello->via}};
    const bool expected =
        wanted.peer.rank < bootstrap_.self && std::ranges::find(wanted_, wanted) != wanted_.end();
    if (!expected || made_.contains(wanted)) return;
    if (::send(pending.connection.get(), &kWelcome, 1, MSG_NOSIGNAL) != 1) return;
    made_.emplace(wanted, std::move(pending.connection));
  }

  /// Blocks until the peer has taken a connection that this rank made.
  void await_welcome(const Wanted& wanted) {
    const int connection = made_.at(wanted).get();
    std::uint8_t answer = 0;
    if (!wait_for(connection, POLLIN, deadline_)) {
      throw refused(wanted, "the peer did not answer in time");
    }
    const ssize_t got = ::recv(connection, &answer, 1, 0);
    if (got != 1 || answer != kWelcome) {
      throw refused(wanted, "the peer closed the connection instead of welcoming it");
    }
  }

  /// What to throw when the time is over: about the first channel that nobody has connected.
  FabricError missing() const {
    const auto absent = std::ranges::find_if(
        wanted_, [this](const Wanted& wanted) { return !made_.contains(wanted); });
    std::string detail =
        fmt::format("the peer did not connect within {}", format_duration(options_.timeout));
    if (accept_error_ != 0) {
      detail += fmt::format("; accept: {}", std::generic_category().message(accept_error_));
    }
    return refused(*absent, detail);
  }

  FabricError refused(const Wanted& wanted, const std::string& detail) const {
    return {FabricFailure::refused,
            {.rank = bootstrap_.self,
             .peer = wanted.peer.rank,
             .port = wanted.peer.via,
             .lane = wanted.lane},
            detail};
  }

  const Bootstrap& bootstrap_;
  const ConnectOptions& options_;
  Deadline deadline_;
  std::vector<Wanted> wanted_;             ///< all channels of all lanes
  std::vector<FileDescriptor> listeners_;  ///< by port
  std::vector<Pending> pending_;
  std::map<Wanted, FileDescriptor> made_;
  int accept_error_ = 0;  ///< errno of the last accept that failed though somebody had connected
};

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options) {
  Connector connector(bootstrap, options);
  std::map<Wanted, FileDescriptor> connections = connector.run();
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
                          .receives = PostedQueue(use[i].receives)});
    }
    endpoints.push_back(std::make_unique<TcpEndpoint>(bootstrap.gradient, std::move(channels),
                                                      bootstrap.cancellation));
  }
  bootstrap.rendezvous.barrier();
  return endpoints;
}

}  // namespace gradwire::transport::tcp
