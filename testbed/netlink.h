#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "testbed/shape.h"
#include "topologies/address_plan.h"

struct nl_sock;

namespace gradwire::testbed {

/// End of a cable to be made.
struct VethEnd {
  int namespace_fd;
  std::string name;
};

/// Traffic that an interface has carried.
struct LinkCounters {
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::uint64_t received_packets = 0;
  std::uint64_t dropped = 0;  ///< packets that the interface dropped

  LinkCounters& operator+=(const LinkCounters& more);
  LinkCounters& operator-=(const LinkCounters& earlier);
};

/// Network configuration of the kernel, as seen from one namespace. Every call blocks until the
/// kernel has answered, and throws SystemError with the operation and the interface when it
/// refuses.
class Netlink {
 public:
  /// Connects to the calling thread's current namespace, whichever the thread enters later.
  Netlink();

  /// Creates a cable of two interfaces, each in its own namespace.
  void create_veth(const VethEnd& a, const VethEnd& b, std::size_t mtu);
  /// Creates a bridge that learns addresses and nothing else (no spanning tree, no multicast
  /// snooping).
  void create_bridge(const std::string& name, std::size_t mtu);
  /// Makes an interface a port of a bridge.
  void attach_to_bridge(const std::string& interface, const std::string& bridge);
  /// Sets an interface up or down.
  void set_up(const std::string& interface, bool up);
  /// Gives an interface an IPv4 address; the kernel adds the route to its subnet.
  void add_address(const std::string& interface, const topologies::PortAddress& address);
  /// Adds a route. Without a gateway the destination is on the link itself.
  void add_route(const topologies::Prefix& to, std::optional<topologies::Ipv4> gateway,
                 const std::string& interface);
  /// Shapes the traffic that leaves through an interface, with a token bucket. Replaces the
  /// interface's shaper if it has one.
  void shape(const std::string& interface, const LinkShape& shape);
  /// Schedules the packets that wait in an interface's shaper as an RDMA NIC does: acknowledgements
  /// first, then a packet of every queue pair in turn. In one queue an acknowledgement waits for
  /// everything that its host has to send, and so does whoever waits for it: BML on BCube(3,2) took
  /// 1.6 times its bound.
  void schedule_queue_pairs(const std::string& interface);

  /// Traffic that the interface has carried since it was made.
  [[nodiscard]] LinkCounters counters(const std::string& interface);
  /// Number of packets that the interface's shaper has dropped.
  [[nodiscard]] std::uint64_t shaper_drops(const std::string& interface);
  /// Number of packets that the shapers of all interfaces of the namespace have dropped. Asks the
  /// kernel once.
  [[nodiscard]] std::uint64_t shaper_drops();

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };

  [[nodiscard]] int index_of(const std::string& interface);
  /// Queueing discipline at an interface's root, or below the class of another one.
  struct Queue {
    std::uint32_t parent = 0;
    std::uint32_t handle = 0;
    const char* kind = nullptr;
    std::string operation;  ///< name that errors give to making it
  };
  void add_queue(const std::string& interface, const Queue& queue, const auto& put_options);

  std::unique_ptr<nl_sock, Close> socket_;
};

}  // namespace gradwire::testbed
