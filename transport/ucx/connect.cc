#include "transport/ucx/connect.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <fmt/core.h>
#include <poll.h>

#include "core/lane_program.h"
#include "transport/device/lane_memory.h"
#include "transport/ucx/card.h"
#include "transport/ucx/lane_parts.h"
#include "transport/ucx/route.h"

namespace gradwire::transport::ucx {
namespace {

/// Pause between looks while the last ranks are waited for.
constexpr Nanoseconds kPause = std::chrono::microseconds(200);

/// Connector of one rank.
class Connector {
 public:
  /// Notes its arguments, which must outlive it.
  Connector(const Bootstrap& bootstrap, const ConnectOptions& options, ucs_memory_type_t kind)
      : bootstrap_(bootstrap),
        options_(options),
        kind_(kind),
        deadline_(bootstrap.clock, options.timeout) {
    for (const Lane& lane : bootstrap.plan.lanes) lanes_.push_back({.peers = channels_of(lane)});
  }

  ~Connector() {
    const auto halfway = [](const LaneParts& lane) {
      return !std::ranges::all_of(lane.connections, [](const auto& c) { return c->greeted(); });
    };
    if (std::ranges::any_of(lanes_, halfway)) leave_behind(std::move(lanes_));
  }
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  /// Connects the rank. Blocks until all ranks have greeted each other.
  void run() {
    open();
    const Card mine = card();
    const std::vector<Card> cards = bootstrap_.rendezvous.all_gather(mine);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (const Peer& peer : lanes_[lane].peers) {
        ensure(peer.rank.index() < cards.size(), "the ranks of the Plan exist");
        call(lane, peer, mine, cards[peer.rank.index()]);
      }
    }
    await_greetings();
    meet();
  }

  /// Moves the connected lanes out. May be called once, after run().
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
    return {.rank = bootstrap_.self, .peer = peer.rank, .port = peer.via, .lane = lane};
  }

  /// Makes the contexts and workers.
  void open() {
    for (LaneParts& lane : lanes_) {
      for (const Peer& peer : lane.peers) {
        const Port port = peer.via;
        ensure(port.index() < bootstrap_.ports.size(), "the ports of the Plan exist");
        const FabricPlace place{.rank = bootstrap_.self, .port = port};
        auto& context = contexts_[port];
        if (!context) {
          context =
              std::make_shared<Context>(bootstrap_.ports[port.index()], options_.context, place);
        }
        auto& worker = lane.workers[port];
        if (!worker) worker = std::make_unique<Worker>(context, place);
      }
    }
  }

  [[nodiscard]] Card card() const {
    Card mine{.terms = fmt::format("{},{}x{},{}", to_string(options_.context.wire), options_.window,
                                   options_.segment, ucs_memory_type_names[kind_]),
              .nonce = random_nonce()};
    for (const auto& [port, context] : contexts_) {
      mine.addresses[port] = bootstrap_.ports[port.index()].address;
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (const auto& [port, worker] : lanes_[lane].workers) {
        mine.workers[{lane, port}] = worker->address();
      }
    }
    return mine;
  }

  void call(std::size_t lane, const Peer& peer, const Card& mine, const Card& theirs) {
    if (theirs.terms != mine.terms) {
      throw refused(lane, peer,
                    fmt::format("the peer connects with {}, and this rank with {}", theirs.terms,
                                mine.terms));
    }
    const auto worker = theirs.workers.find({lane, peer.at});
    if (worker == theirs.workers.end()) {
      throw refused(lane, peer,
                    fmt::format("the peer does not use its port {} in this lane", peer.at.index()));
    }
    if (options_.context.wire == Wire::tcp) check_route(lane, peer, theirs);
    const Greeting self{.lane = static_cast<std::uint32_t>(lane),
                        .from = bootstrap_.self,
                        .via = peer.via,
                        .to = peer.rank,
                        .at = peer.at,
                        .purpose = Purpose::ucx,
                        .nonce = mine.nonce};
    lanes_[lane].connections.push_back(std::make_unique<Connection>(
        *lanes_[lane].workers.at(peer.via), worker->second, self, theirs.nonce, options_.key));
  }

  void check_route(std::size_t lane, const Peer& peer, const Card& theirs) const {
    const auto address = theirs.addresses.find(peer.at);
    ensure(address != theirs.addresses.end(), "a port with a worker has an address");
    const std::string& wanted = bootstrap_.ports[peer.via.index()].address;
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

  /// Progresses everything, or waits a little, for one connection.
  void await_more(std::size_t lane, const Peer& peer, const Connection& connection) {
    if (bootstrap_.cancellation.requested()) {
      throw FabricError(FabricFailure::cancelled, {.rank = bootstrap_.self},
                        "given up while connecting");
    }
    if (connection.gone()) throw refused(lane, peer, connection.reason());
    if (deadline_.passed()) {
      throw refused(
          lane, peer,
          fmt::format("the peer did not answer within {}", format_duration(options_.timeout)));
    }
    if (!progress()) sleep();
  }

  /// Progresses all workers. Returns whether any had something to do.
  bool progress() {
    bool any = false;
    for (LaneParts& parts : lanes_) {
      for (auto& [port, worker] : parts.workers) any |= worker->progress();
    }
    return any;
  }

  /// Waits until every rank has all greetings. Progresses meanwhile, as a peer may need our answer.
  void meet() {
    const std::jthread answering([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!progress()) std::this_thread::sleep_for(kPause);
      }
    });
    bootstrap_.rendezvous.barrier();
  }

  /// Blocks until a worker has an event or cancellation is requested, one tick at most.
  void sleep() {
    std::vector<pollfd> polled{
        {.fd = bootstrap_.cancellation.fd(), .events = POLLIN, .revents = 0}};
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

  const Bootstrap& bootstrap_;
  const ConnectOptions& options_;
  ucs_memory_type_t kind_;  ///< kind of the memory that UCX is handed
  Deadline deadline_;
  std::map<Port, std::shared_ptr<Context>> contexts_;
  std::vector<LaneParts> lanes_;
};

/// Function that makes the memory of one lane.
using MakeMemory = std::function<std::unique_ptr<device::LaneMemory>()>;

std::vector<std::unique_ptr<Endpoint>> connect_lanes(const Bootstrap& bootstrap,
                                                     const ConnectOptions& options,
                                                     const MakeMemory& make_memory) {
  const std::unique_ptr<device::LaneMemory> whole = make_memory();
  ensure(options.segment >= whole->element_bytes() && options.window > 0,
         "a segment holds an element, and a window a segment");
  Connector connector(bootstrap, options, kind_of(whole->reach()));
  connector.run();
  if (options.context.wire == Wire::rc) {
    for (const auto& [port, context] : connector.contexts()) {
      context->remember(whole->all(), kind_of(whole->reach()),
                        {.rank = bootstrap.self, .port = port});
    }
  }
  std::vector<LaneParts> lanes = connector.take_lanes();
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    endpoints.push_back(make_endpoint(bootstrap, options, i, make_memory(), std::move(lanes[i])));
  }
  bootstrap.rendezvous.barrier();
  return endpoints;
}

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options) {
  return connect_lanes(bootstrap, options, [&bootstrap] {
    return std::make_unique<device::HostLaneMemory>(bootstrap.gradient);
  });
}

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options,
                                               const device::DeviceGradient& gradient) {
  ConnectOptions with_device = options;
  with_device.context.cuda = gradient.device.reach() == device::Reach::cuda;
  return connect_lanes(bootstrap, with_device, [&gradient] {
    return std::make_unique<device::DeviceLaneMemory>(gradient);
  });
}

}  // namespace gradwire::transport::ucx
