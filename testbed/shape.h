#pragma once

#include <cstddef>

#include "core/units.h"

/// What an emulated link is like, and what of its rate is left for payload.
namespace gradwire::testbed {

/// Both directions of every cable of a testbed.
struct LinkShape {
  BitRate rate;
  std::size_t mtu = 9000;  ///< bytes of an IP packet
  /// Bytes that a shaper lets through at once after a pause.
  std::size_t burst = 0;
  /// Bytes that a shaper holds before it drops: room for an n-to-1 incast of whole shards, as on a
  /// lossless fabric.
  std::size_t queue = 64 * 1024 * 1024;
};

/// The smallest burst with which a busy machine keeps the rate. A shaper woken late can make up for
/// at most one burst, so it must cover the lateness (1 ms of the rate); and it must exceed one
/// segmentation-offload packet of 64 KiB with the headers of its parts, which the shaper would
/// otherwise cut up in software.
[[nodiscard]] std::size_t default_burst(BitRate rate);

/// A shape with the default burst.
[[nodiscard]] LinkShape shape_for(BitRate rate, std::size_t mtu);

/// The share of an emulated link's rate that TCP payload gets: the shaper counts the Ethernet
/// header (14 bytes) and the IP packet; IP, TCP and timestamps take 52 bytes of it. (mtu - 52)/(mtu
/// + 14).
[[nodiscard]] double payload_fraction(std::size_t mtu);

}  // namespace gradwire::testbed
