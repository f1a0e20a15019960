#include "testbed/neighbours.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/calibration.h"
#include "testbed/net_namespace.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::Topology;

/// IEEE's first type for local experiments: switches and kernels forward such frames and do no
/// more.
constexpr std::uint16_t kEtherType = 0x88B5;
constexpr std::uint32_t kMark = 0x67726477;  // other experiments may use it, too
constexpr std::size_t kShortest = 60;
constexpr Nanoseconds kAgain = std::chrono::milliseconds(50);

using Address = std::array<std::uint8_t, ETH_ALEN>;
constexpr Address kEverybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// Beginning of every frame.
struct Frame {
  Address to;
  Address from;
  std::uint16_t type;
  std::uint16_t padding;
  std::uint32_t mark;
  std::uint32_t node;
  std::uint32_t port;
};
static_assert(sizeof(Frame) == 28);

/// Port of a host, with a socket that sends and hears frames there.
struct Station {
  Attachment port;
  FileDescriptor socket;
  Address address{};
};

Station open_station(const Attachment& port) {
  const std::string name = Emulation::interface_of(port.port);
  Station station{.port = port};
  station.socket = FileDescriptor(
      checked(::socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
              "open a packet socket for " + name));  // which hears nothing before it is bound
  sockaddr_ll place{};
  place.sll_family = AF_PACKET;
  place.sll_protocol = htons(kEtherType);
  const unsigned index = ::if_nametoindex(name.c_str());
  if (index == 0) throw SystemError("look up " + name, errno);  // 0 would be all interfaces
  place.sll_ifindex = static_cast<int>(index);
  checked(::bind(station.socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place),
          "listen to " + name);
  socklen_t size = sizeof place;
  checked(::getsockname(station.socket.get(), reinterpret_cast<sockaddr*>(&place), &size),
          "read the address of " + name);
  std::copy_n(place.sll_addr, ETH_ALEN, station.address.begin());
  return station;
}

/// Stations of a wiring, and what they have heard so far.
class Stations {
 public:
  Stations(const Emulation& emulation, const Topology& topology, std::size_t mtu)
      : topology_(topology), longest_(mtu + sizeof(ether_header)), buffer_(longest_ + 1) {
    for (std::size_t host = 0; host < topology.hosts(); ++host) {
      const InNamespace inside(emulation.namespace_of(Rank(host)));
      for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
        stations_.push_back(open_station({NodeId(host), Port(port)}));
      }
    }
    for (const Flow& flow : calibration_flows(topology)) {
      pairs_.emplace_back(number_of({topology.host(flow.from), flow.via}),
                          number_of({topology.host(flow.to), flow.at}));
    }
  }

  /// Broadcasts from every station. Reads in between, because sockets hold some 270 short frames.
  void call_all() {
    constexpr std::size_t kHeld = 64;
    for (std::size_t i = 0; i < stations_.size(); ++i) {
      send(stations_[i], kEverybody, kShortest);
      if (i % kHeld == kHeld - 1) listen(Nanoseconds(0));
    }
  }
  /// Sends a full frame from each station to the next, if that one hears it.
  void send_full() {
    for (const auto& [from, to] : pairs_) {
      const std::optional<bool> full = find(to, from);
      if (full && !*full) send(stations_[from], stations_[to].address, longest_);
    }
  }
  /// Whether everybody has heard everybody of its switch.
  [[nodiscard]] bool all_heard() const {
    std::map<NodeId, std::size_t> wanted;
    for (const Station& station : stations_) ++wanted[topology_.opposite(station.port).node];
    std::size_t missing = 0;
    for (const auto& [node, ports] : wanted) missing += ports * (ports - 1);
    for (const auto& [pair, full] : heard_) {
      if (on_one_switch(pair)) --missing;
    }
    return missing == 0;
  }
  /// Whether everybody that has heard the station before it has heard its full frame, too.
  [[nodiscard]] bool all_full() const {
    return std::ranges::all_of(
        pairs_, [this](const auto& pair) { return find(pair.second, pair.first).value_or(true); });
  }
  /// Waits for frames for at most `time`, and takes all that there are. Returns whether one was
  /// news.
  bool listen(Nanoseconds time) {
    std::vector<pollfd> polled;
    for (const Station& station : stations_) {
      polled.push_back({.fd = station.socket.get(), .events = POLLIN, .revents = 0});
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(time).count();
    if (::poll(polled.data(), polled.size(), static_cast<int>(wait)) < 0 && errno != EINTR) {
      throw SystemError("poll", errno);
    }
    bool news = false;
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) news = take(i) || news;
    }
    return news;
  }
  [[nodiscard]] std::vector<Hearing> heard() const {
    std::vector<Hearing> all;
    for (const auto& [pair, full] : heard_) {
      all.push_back({stations_[pair.first].port, stations_[pair.second].port, full});
    }
    return all;
  }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;  // who heard, whom

  [[nodiscard]] std::size_t number_of(const Attachment& port) const {
    return port.node.index() * topology_.ports_per_host() + port.port.index();
  }
  [[nodiscard]] bool on_one_switch(const Pair& pair) const {
    return topology_.opposite(stations_[pair.first].port).node ==
           topology_.opposite(stations_[pair.second].port).node;
  }
  /// Whether `by` heard a full frame of `of`; nothing when it heard none at all.
  [[nodiscard]] std::optional<bool> find(std::size_t by, std::size_t of) const {
    const auto found = heard_.find({by, of});
    return found == heard_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Sends a frame. A port that is down or has a smaller MTU refuses, and nobody hears it.
  void send(const Station& station, const Address& to, std::size_t size) {
    const Frame frame{.to = to,
                      .from = station.address,
                      .type = htons(kEtherType),
                      .padding = 0,
                      .mark = htonl(kMark),
                      .node = htonl(station.port.node.value),
                      .port = htonl(station.port.port.value)};
    std::memcpy(buffer_.data(), &frame, sizeof frame);
    static_cast<void>(::send(station.socket.get(), buffer_.data(), size, MSG_DONTWAIT));
  }

  bool take(std::size_t by) {
    for (bool news = false;;) {
      const ssize_t size =
          ::recv(stations_[by].socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (size < static_cast<ssize_t>(sizeof(Frame))) return news;
      Frame frame{};
      std::memcpy(&frame, buffer_.data(), sizeof frame);
      const bool is_meant = frame.to == kEverybody || frame.to == stations_[by].address;
      const std::size_t of = number_of({NodeId(ntohl(frame.node)), Port(ntohl(frame.port))});
      if (ntohl(frame.mark) != kMark || !is_meant || of >= stations_.size() || of == by) continue;
      const bool is_full = static_cast<std::size_t>(size) == longest_;
      const auto [heard, is_new] = heard_.try_emplace({by, of}, is_full);
      news = news || is_new || (is_full && !heard->second);
      heard->second = heard->second || is_full;
    }
  }

  const Topology& topology_;
  std::size_t longest_;                                     ///< a frame as long as the MTU
  std::vector<char> buffer_;                                ///< room for a frame
  std::vector<Station> stations_;                           ///< by host, then by port
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  ///< sender and receiver of full frames
  std::map<Pair, bool> heard_;                              ///< whether a full frame was heard
};

}  // namespace

std::vector<Hearing> listen_to_neighbours(const Emulation& emulation, const Topology& topology,
                                          std::size_t mtu, const Clock& clock,
                                          Nanoseconds patience) {
  if (topology.switch_kind() != topologies::SwitchKind::bridge) return {};
  Stations stations(emulation, topology, mtu);
  const auto exchange = [&](Nanoseconds time, const auto& send, const auto& is_over) {
    Deadline deadline(clock, time);
    while (!is_over() && !deadline.passed()) {
      send();
      const Deadline again(clock, std::min(kAgain, deadline.left()));
      while (!is_over() && !again.passed()) {
        if (stations.listen(again.left())) deadline = Deadline(clock, time);
      }
    }
  };
  const TimePoint began = clock.now();
  exchange(
      patience, [&] { stations.call_all(); }, [&] { return stations.all_heard(); });
  exchange(
      std::max(patience, 3 * (clock.now() - began)), [&] { stations.send_full(); },
      [&] { return stations.all_full(); });
  return stations.heard();
}

}  // namespace gradwire::testbed
