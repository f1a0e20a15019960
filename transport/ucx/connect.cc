#include "transport/ucx/connect.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <fmt/core.h>
#include <poll.h>

#include "core/lane_program.h"
#include "transport/ucx/card.h"
#include "transport/ucx/endpoint.h"
#include "transport/ucx/route.h"

namespace gradwire::transport::ucx {
namespace {

/// Between looks while the last ranks are waited for.
constexpr Nanoseconds kPause = std::chrono::microseconds(200);

/// A lane on its way to an endpoint.
struct LaneParts {
  std::vector<Peer> peers;
  std::vector<std::unique_ptr<Connection>> connections;  ///< by peer
  std::map<Port, std::unique_ptr<Worker>> workers;       ///< go first: UCX knows the connections
};

/// The elements of the largest adding receive from `peer`.
std::size_t largest_add(const Lane& lane, const Peer& peer) {
  std::size_t largest = 0;
  for (const Step& step : lane) {
    for (const Recv& recv : step.recvs) {
      if (recv.how == Combine::add && recv.from == peer) {
        largest = std::max(largest, recv.where.count);
      }
    }
  }
  return largest;
}

/// UCX 1.13 aborts the process when a worker ends while a connection of it is being set up: these
/// stay, with what they know, as long as the process.
void leave_behind(std::vector<LaneParts> lanes) {
  static std::mutex mutex;
  static auto* const left = new std::vector<std::vector<LaneParts>>;
  const std::scoped_lock lock(mutex);
  left->push_back(std::move(lanes));
}

/// Makes the connections of one rank.
class Connector {
 public:
  Connector(const Plan& plan, Rank self, std::span<const PortBinding> ports,
            const Cancellation& cancellation, const Clock& clock, const ConnectOptions& options)
      : self_(self),
        ports_(ports),
        cancellation_(cancellation),
        options_(options),
        deadline_(clock, options.timeout) {
    for (const Lane& lane : plan.lanes) lanes_.push_back({.peers = channels_of(lane)});
  }

  ~Connector() {
    const auto halfway = [](const LaneParts& lane) {
      return !std::ranges::all_of(lane.connections, [](const auto& c) { return c->greeted(); });
    };
    if (std::ranges::any_of(lanes_, halfway)) leave_behind(std::move(lanes_));
  }
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  void run(Rendezvous& rendezvous) {
    open();
    const Card mine = card();
    std::vector<std::optional<Card>> cards;
    for (const std::string& text : rendezvous.all_gather(encode(mine))) {
      cards.push_back(decode(text));
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (const Peer& peer : lanes_[lane].peers) {
        ensure(peer.rank.index() < cards.size(), "the Plan's ranks exist");
        call(lane, peer, mine, cards[peer.rank.index()]);
      }
    }
    await_greetings();
    meet(rendezvous);
  }

  /// Once, after run().
  [[nodiscard]] std::vector<LaneParts> take_lanes() { return std::exchange(lanes_, {}); }
  [[nodiscard]] const std::map<Port, std::shared_ptr<Context>>& contexts() const {
    return contexts_;
  }

 private:
  [[nodiscard]] FabricError refused(std::size_t lane, const Peer& peer,
                                    const std::string& detail) const {
    return {FabricFailure::refused, at(lane, peer), detail};
  }
  [[nodiscard]] FabricPlace at(std::size_t lane, const Peer& peer) const {
    return {.rank = self_, .peer = peer.rank, .port = peer.via, .lane = lane};
  }

  /// Makes the contexts and workers.
  void open() {
    for (LaneParts& lane : lanes_) {
      for (const Peer& peer : lane.peers) {
        const Port port = peer.via;
        ensure(port.index() < ports_.size(), "the Plan's ports exist");
        const FabricPlace place{.rank = self_, .port = port};
        auto& context = contexts_[port];
        if (!context) {
          context = std::make_shared<Context>(ports_[port.index()], options_.context, place);
        }
        auto& worker = lane.workers[port];
        if (!worker) worker = std::make_unique<Worker>(context, place);
      }
    }
  }

  [[nodiscard]] Card card() const {
    Card mine{.terms = fmt::format("{},{}x{}", to_string(options_.context.wire), options_.window,
                                   options_.segment)};
    for (const auto& [port, context] : contexts_) {
      mine.addresses[port] = ports_[port.index()].address;
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (const auto& [port, worker] : lanes_[lane].workers) {
        mine.workers[{lane, port}] = worker->address();
      }
    }
    return mine;
  }

  void call(std::size_t lane, const Peer& peer, const Card& mine,
            const std::optional<Card>& theirs) {
    if (!theirs) throw refused(lane, peer, "the peer did not say where it can be reached");
    if (theirs->terms != mine.terms) {
      throw refused(lane, peer,
                    fmt::format("the peer connects with {}, and this rank with {}", theirs->terms,
                                mine.terms));
    }
    const auto worker = theirs->workers.find({lane, peer.at});
    if (worker == theirs->workers.end()) {
      throw refused(lane, peer,
                    fmt::format("the peer does not use its port {} in this lane", peer.at.index()));
    }
    if (options_.context.wire == Wire::tcp) check_route(lane, peer, *theirs);
    lanes_[lane].connections.push_back(std::make_unique<Connection>(
        *lanes_[lane].workers.at(peer.via), worker->second, self_, peer, at(lane, peer)));
  }

  void check_route(std::size_t lane, const Peer& peer, const Card& theirs) const {
    const auto address = theirs.addresses.find(peer.at);
    ensure(address != theirs.addresses.end(), "a port with a worker has an address");
    const std::string& wanted = ports_[peer.via.index()].address;
    try {
      const std::string source = source_address_to(address->second);
      if (source == wanted) return;
      throw refused(lane, peer,
                    fmt::format("the kernel would reach {} from {} instead of {}", address->second,
                                source, wanted));
    } catch (const SystemError& error) {
      throw refused(lane, peer, error.what());
    }
  }

  void await_greetings() {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (std::size_t i = 0; i < lanes_[lane].peers.size(); ++i) {
        const Connection& connection = *lanes_[lane].connections[i];
        while (!connection.greeted()) await_more(lane, lanes_[lane].peers[i], connection);
      }
    }
  }

  /// Progresses everything, or waits a little, for the sake of one connection.
  void await_more(std::size_t lane, const Peer& peer, const Connection& connection) {
    if (cancellation_.requested()) {
      throw FabricError(FabricFailure::cancelled, {.rank = self_}, "given up while connecting");
    }
    if (connection.gone()) throw refused(lane, peer, connection.reason());
    if (deadline_.passed()) {
      throw refused(
          lane, peer,
          fmt::format("the peer did not answer within {}", format_duration(options_.timeout)));
    }
    if (!progress()) sleep();
  }

  /// Whether there was any.
  bool progress() {
    bool any = false;
    for (LaneParts& parts : lanes_) {
      for (auto& [port, worker] : parts.workers) any |= worker->progress();
    }
    return any;
  }

  /// Waits until every rank has all greetings. Progresses meanwhile: a peer may need an answer of
  /// ours to be done.
  void meet(Rendezvous& rendezvous) {
    const std::jthread answering([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!progress()) std::this_thread::sleep_for(kPause);
      }
    });
    rendezvous.barrier();
  }

  /// Until a worker has an event, or cancellation; a tick at most.
  void sleep() {
    std::vector<pollfd> polled{{.fd = cancellation_.fd(), .events = POLLIN, .revents = 0}};
    for (LaneParts& parts : lanes_) {
      for (auto& [port, worker] : parts.workers) {
        if (!worker->arm()) return;
        polled.push_back({.fd = worker->event(), .events = POLLIN, .revents = 0});
      }
    }
    constexpr int kTick = 100;  // milliseconds: how late the deadline is noticed
    if (::poll(polled.data(), polled.size(), kTick) < 0 && errno != EINTR) {
      throw SystemError("poll", errno);
    }
  }

  Rank self_;
  std::span<const PortBinding> ports_;
  const Cancellation& cancellation_;
  const ConnectOptions& options_;
  Deadline deadline_;
  std::map<Port, std::shared_ptr<Context>> contexts_;
  std::vector<LaneParts> lanes_;
};

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                               std::span<float> gradient,
                                               std::span<const PortBinding> ports,
                                               Rendezvous& rendezvous,
                                               const Cancellation& cancellation, const Clock& clock,
                                               const ConnectOptions& options) {
  ensure(options.segment >= sizeof(float) && options.window > 0, "segments hold something");
  Connector connector(plan, self, ports, cancellation, clock, options);
  connector.run(rendezvous);
  const bool registered = options.context.wire == Wire::rc;
  if (registered) {
    for (const auto& [port, context] : connector.contexts()) {
      context->remember(gradient, {.rank = self, .port = port});
    }
  }

  std::vector<LaneParts> lanes = connector.take_lanes();
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
    LaneParts& parts = lanes[lane];
    const std::vector<ChannelUse> use = channel_use(plan.lanes[lane], parts.peers);
    std::vector<UcxEndpoint::Channel> channels;
    for (std::size_t i = 0; i < parts.peers.size(); ++i) {
      channels.push_back({.connection = std::move(parts.connections[i]),
                          .use = use[i],
                          .largest_add = largest_add(plan.lanes[lane], parts.peers[i])});
    }
    std::vector<std::unique_ptr<Worker>> workers;
    for (auto& [port, worker] : parts.workers) workers.push_back(std::move(worker));
    endpoints.push_back(std::make_unique<UcxEndpoint>(
        gradient, std::move(workers), std::move(channels),
        UcxEndpoint::Options{
            .cutting = {.elements = options.segment / sizeof(float), .window = options.window},
            .poll = options.poll,
            .registered = registered},
        cancellation, clock, FabricPlace{.rank = self, .lane = lane}));
  }
  rendezvous.barrier();
  return endpoints;
}

}  // namespace gradwire::transport::ucx
