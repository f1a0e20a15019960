#include "transport/verbs/connect.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/lane_program.h"
#include "transport/device/lane_memory.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/endpoint.h"

namespace gradwire::transport::verbs {
namespace {

using Channel = VerbsEndpoint::Channel;

/// Pause between looks at unacknowledged connections.
constexpr Nanoseconds kPause = std::chrono::microseconds(200);

/// Function that makes the memory of one lane.
using MakeMemory = std::function<std::unique_ptr<device::LaneMemory>()>;

/// Port that the Plan uses, opened.
struct OpenPort {
  std::shared_ptr<Device> device;
  std::shared_ptr<const MemoryRegion> gradient;
};

/// Parts of a lane that is not an endpoint yet.
struct LaneParts {
  std::vector<Peer> peers;  ///< by channel
  std::unique_ptr<device::LaneMemory> memory = {};
  std::vector<Channel> channels;
  std::vector<std::shared_ptr<CompletionQueue>> queues;
  std::vector<bool> acknowledged;  ///< by channel
};

FlowLimits limits_of(const ConnectOptions& options, std::size_t element_bytes) {
  if (options.segment_bytes == 0 || options.segment_bytes % element_bytes != 0) {
    throw InputError(fmt::format("a segment of {} bytes is not some whole elements of {} bytes",
                                 options.segment_bytes, element_bytes));
  }
  if (options.staging_slots < kLeastWindow) {
    throw InputError(
        fmt::format("{} staging slots are less than {}", options.staging_slots, kLeastWindow));
  }
  return {.segment = options.segment_bytes / element_bytes, .window = options.staging_slots};
}

/// Connector of one rank.
class Connector {
 public:
  /// Notes its arguments, which must outlive it.
  Connector(const Bootstrap& bootstrap, const ConnectOptions& options,
            const MakeMemory& make_memory)
      : bootstrap_(bootstrap),
        options_(options),
        make_memory_(make_memory),
        whole_(make_memory()),
        limits_(limits_of(options, whole_->element_bytes())) {}

  /// Connects the rank. Blocks until all ranks are connected.
  std::vector<std::unique_ptr<Endpoint>> run() {
    for (const Lane& lane : bootstrap_.plan.lanes) lanes_.push_back(prepare(lane));
    const auto offers = exchange();
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (std::size_t i = 0; i < lanes_[lane].peers.size(); ++i) connect(lane, i, offers);
    }
    bootstrap_.rendezvous.barrier();  // now every peer hears us
    await_acknowledgements();
    bootstrap_.rendezvous.barrier();
    std::vector<std::unique_ptr<Endpoint>> endpoints;
    for (LaneParts& lane : lanes_) {
      endpoints.push_back(std::make_unique<VerbsEndpoint>(
          std::move(lane.memory), std::move(lane.channels), std::move(lane.queues),
          VerbsEndpoint::Options{.poll = options_.poll,
                                 .probe_interval = options_.probe_interval,
                                 .cancellation = bootstrap_.cancellation,
                                 .clock = bootstrap_.clock}));
    }
    return endpoints;
  }

 private:
  /// The port's device and the gradient's registration with it, made at the first call.
  OpenPort& open(Port port) {
    const auto found = open_.find(port);
    if (found != open_.end()) return found->second;
    ensure(port.index() < bootstrap_.ports.size(), "the ports of the Plan exist");
    auto device = std::make_shared<Device>(bootstrap_.ports[port.index()]);
    if (options_.segment_bytes > device->largest_message()) {
      throw InputError(fmt::format("a segment of {} bytes is more than RDMA device {} can send, {}",
                                   options_.segment_bytes, device->name(),
                                   device->largest_message()));
    }
    auto region = std::make_shared<const MemoryRegion>(device, whole_->all(),
                                                       whole_->exported(whole_->all()));
    return open_.emplace(port, OpenPort{std::move(device), std::move(region)}).first->second;
  }

  /// Makes a lane's queue pairs, which are not connected yet.
  LaneParts prepare(const Lane& lane) {
    LaneParts parts{.peers = channels_of(lane)};
    std::map<Port, std::size_t> channels;
    for (const Peer& peer : parts.peers) ++channels[peer.via];
    std::map<Port, std::shared_ptr<CompletionQueue>> queues;
    for (const auto& [port, count] : channels) {
      queues[port] = std::make_shared<CompletionQueue>(
          open(port).device, count * QueuePair::completions(limits_.window), lanes_.size());
      parts.queues.push_back(queues[port]);
    }
    const std::vector<ChannelUse> use = channel_use(lane, parts.peers);
    std::span<std::byte> free = allocate_staging(lane, parts);
    for (std::size_t i = 0; i < parts.peers.size(); ++i) {
      const Peer& peer = parts.peers[i];
      const StagingSize size = staging_size(lane, peer);
      const std::span<std::byte> ring = free.first(size.bytes());
      free = free.subspan(ring.size());
      parts.channels.push_back(
          {.gradient = open(peer.via).gradient,
           .staging = ring.empty() ? std::nullopt
                                   : std::optional<Staging>(std::in_place, open(peer.via).device,
                                                            *parts.memory, ring, size),
           .sends = SendFlow(use[i].sends, limits_),
           .receives = ReceiveFlow(use[i].receives, limits_),
           .first_addition = i * limits_.window,
           .unsettled = std::vector<Arrival>(limits_.window),
           .data = QueuePair(queues.at(peer.via), QueuePair::Use::data, i, limits_.window),
           .grants = QueuePair(queues.at(peer.via), QueuePair::Use::grants, i, limits_.window)});
    }
    parts.acknowledged.resize(parts.peers.size());
    return parts;
  }

  [[nodiscard]] StagingSize staging_size(const Lane& lane, const Peer& peer) const {
    return {.slots = limits_.window,
            .slot = std::min(most_added(lane, peer), limits_.segment),
            .element_bytes = whole_->element_bytes()};
  }

  /// Allocates the memory of all rings of a lane, each of which has whole elements, so that each is
  /// aligned for them.
  [[nodiscard]] std::span<std::byte> allocate_staging(const Lane& lane, LaneParts& parts) const {
    std::size_t bytes = 0;
    for (const Peer& peer : parts.peers) bytes += staging_size(lane, peer).bytes();
    parts.memory = make_memory_();
    return parts.memory->allocate_staging(bytes, parts.peers.size() * limits_.window);
  }

  /// Exchanges what all ranks offer, by rank.
  std::vector<RankOffer> exchange() const {
    RankOffer mine{.limits = limits_};
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (std::size_t i = 0; i < lanes_[lane].peers.size(); ++i) {
        const Channel& channel = lanes_[lane].channels[i];
        mine.channels.push_back(
            {.lane = lane,
             .to = lanes_[lane].peers[i],
             .data = channel.data.address(),
             .grants = channel.grants.address(),
             .gradient = {.address = channel.gradient->address(),
                          .key = channel.gradient->remote_key()},
             .staging = channel.staging ? channel.staging->remote() : RemoteMemory{},
             .slot_elements = channel.staging ? channel.staging->slot_elements() : 0});
      }
    }
    return bootstrap_.rendezvous.all_gather(mine);
  }

  /// Connects channel `number` of a lane to its peer's offer for it.
  void connect(std::size_t lane, std::size_t number, std::span<const RankOffer> offers) {
    const Peer& peer = lanes_[lane].peers[number];
    ensure(peer.rank.index() < offers.size(), "the ranks of the Plan exist");
    const RankOffer& theirs = offers[peer.rank.index()];
    const Peer seen_from_there{.rank = bootstrap_.self, .via = peer.at, .at = peer.via};
    const auto offer = std::ranges::find_if(theirs.channels, [&](const ChannelOffer& candidate) {
      return candidate.lane == lane && candidate.to == seen_from_there;
    });
    if (offer == theirs.channels.end()) throw refused(lane, number, "the peer has no such channel");
    if (theirs.limits != limits_) {
      throw refused(lane, number,
                    fmt::format("the peer has {} slots of {} elements, we have {} of {}",
                                theirs.limits.window, theirs.limits.segment, limits_.window,
                                limits_.segment));
    }
    Channel& channel = lanes_[lane].channels[number];
    channel.peer_gradient = offer->gradient;
    channel.peer_staging = offer->staging;
    channel.peer_slot_elements = offer->slot_elements;
    try {
      channel.data.connect(offer->data, options_.path);
      channel.grants.connect(offer->grants, options_.path);
    } catch (const SystemError& error) {
      throw refused(lane, number, error.what());
    }
  }

  /// Sends an empty write on every data queue pair and waits until all peers have acknowledged it.
  /// Queue pairs for grants are connected along the same paths.
  void await_acknowledgements() {
    const Deadline deadline(bootstrap_.clock, options_.timeout);
    for (LaneParts& lane : lanes_) {
      for (Channel& channel : lane.channels) channel.data.probe();
    }
    while (true) {
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane) take_acknowledgements(lane);
      const auto missing = unacknowledged();
      if (!missing) return;
      if (bootstrap_.cancellation.requested()) {
        throw FabricError(FabricFailure::cancelled, {.rank = bootstrap_.self},
                          "given up while connecting");
      }
      if (deadline.passed()) {
        throw refused(missing->first, missing->second,
                      fmt::format("the peer did not acknowledge within {}",
                                  format_duration(options_.timeout)));
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  /// Notes a lane's channels that have been acknowledged since.
  void take_acknowledgements(std::size_t lane) {
    std::array<ibv_wc, 16> batch;
    for (const auto& queue : lanes_[lane].queues) {
      for (const ibv_wc& completion : queue->poll(batch)) {
        const Work work = decode_work(completion.wr_id);
        if (completion.status != IBV_WC_SUCCESS) {
          throw refused(lane, work.channel, describe(completion));
        }
        ensure(work.kind == Work::Kind::probe,
               "nothing but probes is sent before all are connected");
        lanes_[lane].channels[work.channel].data.retire(work);
        lanes_[lane].acknowledged[work.channel] = true;
      }
    }
  }

  /// Lane and number of the first channel that is not acknowledged. Nothing when all are.
  std::optional<std::pair<std::size_t, std::size_t>> unacknowledged() const {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const auto& acknowledged = lanes_[lane].acknowledged;
      const auto missing = std::ranges::find(acknowledged, false);
      if (missing != acknowledged.end()) {
        return std::pair(lane, static_cast<std::size_t>(missing - acknowledged.begin()));
      }
    }
    return std::nullopt;
  }

  FabricError refused(std::size_t lane, std::size_t number, const std::string& detail) const {
    const Peer& peer = lanes_[lane].peers[number];
    return {FabricFailure::refused,
            {.rank = bootstrap_.self, .peer = peer.rank, .port = peer.via, .lane = lane},
            detail};
  }

  const Bootstrap& bootstrap_;
  const ConnectOptions& options_;
  const MakeMemory& make_memory_;
  std::unique_ptr<device::LaneMemory> whole_;  ///< memory of the whole gradient
  FlowLimits limits_;
  std::map<Port, OpenPort> open_;
  std::vector<LaneParts> lanes_;
};

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options) {
  return Connector(
             bootstrap, options,
             [&bootstrap] { return std::make_unique<device::HostLaneMemory>(bootstrap.gradient); })
      .run();
}

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options,
                                               const device::DeviceGradient& gradient) {
  return Connector(bootstrap, options,
                   [&gradient] { return std::make_unique<device::DeviceLaneMemory>(gradient); })
      .run();
}

}  // namespace gradwire::transport::verbs
