#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/file_descriptor.h"

struct nl_sock;

/// State of interfaces in the kernel: how they are set up, and whether they can carry anything.
namespace gradwire::testbed {

/// State of an interface at one moment. A missing interface is not set up.
struct LinkState {
  bool set_up = false;                ///< whether an administrator has set it up
  bool has_carrier = false;           ///< whether its other end is up, too
  std::uint32_t carrier_changes = 0;  ///< times that the carrier has come or gone
  std::size_t mtu = 0;                ///< bytes of an IP packet
  int bridge = 0;                     ///< index of the bridge whose port it is; 0: of none
  std::uint64_t shaped_to = 0;        ///< token bucket at its root, bytes per second; 0: none

  [[nodiscard]] bool is_up() const { return set_up && has_carrier; }
  friend bool operator==(const LinkState&, const LinkState&) = default;
};

/// Reader of the states of interfaces of one network namespace. One thread uses it at a time.
class LinkReader {
 public:
  /// Makes a reader for the calling thread's current namespace, whichever the thread enters later.
  /// Throws SystemError.
  LinkReader();

  /// Reads the states by interface. Throws SystemError when the kernel cannot be asked.
  [[nodiscard]] std::vector<LinkState> read(std::span<const std::string> interfaces);

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };
  std::unique_ptr<nl_sock, Close> socket_;
};

/// Opens a non-blocking rtnetlink socket, which becomes readable whenever a link or a queueing
/// discipline of the calling thread's network namespace has changed. The kernel reports a lost
/// carrier up to a second late. Throws SystemError.
[[nodiscard]] FileDescriptor open_link_news();
/// Drains the news, so that the socket is readable for the next. Returns whether there were any.
/// They are not parsed; a LinkReader has the states.
bool drain_link_news(int news);

}  // namespace gradwire::testbed
