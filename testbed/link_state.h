#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/file_descriptor.h"

struct nl_sock;

/// How interfaces are set up and whether they can carry anything, as the kernel says.
namespace gradwire::testbed {

/// An interface at one moment. One that is not there is not set up.
struct LinkState {
  bool set_up = false;                ///< by whoever administers it
  bool has_carrier = false;           ///< its other end is up, too
  std::uint32_t carrier_changes = 0;  ///< how often the carrier has come or gone
  std::size_t mtu = 0;                ///< bytes of an IP packet
  int bridge = 0;                     ///< index of the bridge whose port it is; 0: of none
  std::uint64_t shaped_to = 0;  ///< bytes per second of the token bucket at its root; 0: no bucket

  [[nodiscard]] bool is_up() const { return set_up && has_carrier; }
  friend bool operator==(const LinkState&, const LinkState&) = default;
};

/// Reads the states of interfaces of one network namespace. One thread uses it at a time.
class LinkReader {
 public:
  /// Reads in the namespace that the calling thread is in now, wherever it goes later. Throws
  /// SystemError.
  LinkReader();

  /// By interface. Throws SystemError when the kernel cannot be asked.
  [[nodiscard]] std::vector<LinkState> read(std::span<const std::string> interfaces);

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };
  std::unique_ptr<nl_sock, Close> socket_;
};

/// A non-blocking rtnetlink socket that becomes readable whenever a link or a queueing discipline
/// of the calling thread's network namespace has changed. The kernel tells of a lost carrier up to
/// a second late. Throws SystemError.
[[nodiscard]] FileDescriptor open_link_news();
/// Takes the news, so that the socket is readable for the next. Returns whether there were any.
/// What they say is not looked at: ask a LinkReader.
bool drain_link_news(int news);

}  // namespace gradwire::testbed
