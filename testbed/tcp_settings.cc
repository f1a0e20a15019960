#include "testbed/tcp_settings.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/core.h>
#include <sys/utsname.h>

#include "testbed/sysctl.h"

namespace gradwire::testbed {
namespace {

/// Version numbers of a release: {6, 1} of "6.1.0-13-amd64"; zeros where there are none.
std::pair<int, int> version_of(std::string_view release) {
  std::pair<int, int> version;
  const char* const end = release.data() + release.size();
  const auto [dot, error] = std::from_chars(release.data(), end, version.first);
  if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, version.second);
  return version;
}

}  // namespace

std::size_t receive_window(std::string_view release) {
  constexpr std::pair kByMemory{6, 6};
  return version_of(release) < kByMemory ? kReceiveBuffer / 2 : kReceiveBuffer / 32 * 31;
}

std::size_t receive_window() {
  utsname kernel{};
  ::uname(&kernel);
  return receive_window(kernel.release);
}

std::chrono::milliseconds shortest_timeout(BitRate rate, std::size_t hosts) {
  constexpr Seconds kUsual(0.2);
  constexpr Seconds kMost(10);
  const Seconds all = time_to_send(static_cast<double>(2 * hosts * kReceiveBuffer), rate);
  return std::chrono::round<std::chrono::milliseconds>(std::clamp(all, kUsual, kMost));
}

void configure_tcp(std::chrono::milliseconds shortest_timeout) {
  // The default on some machines paces by its own estimate of the rate; loss-based control fills
  // the shaper's queue, which is what a lossless fabric looks like.
  if (!try_network_setting("ipv4/tcp_congestion_control", "cubic")) {
    try_network_setting("ipv4/tcp_congestion_control", "reno");
  }
  try_network_setting("ipv4/tcp_slow_start_after_idle", "0");
  try_network_setting("ipv4/tcp_no_metrics_save", "1");
  // Else a connection sends in smaller pieces once it has seen no short round trip for five minutes,
  // and then gets less of a port than others that still remember one.
  try_network_setting("ipv4/tcp_tso_rtt_log", "30");
  const std::chrono::microseconds timeout = shortest_timeout;
  try_network_setting("ipv4/tcp_rto_min_us", fmt::format("{}", timeout.count()));
  // A packet that another one overtook, as on machines with several processors, is waited for: RACK
  // with its time alone (1 and 4), not three later packets, and a part of the latest round trip, in
  // which ports are full, not of the shortest, in which they were empty.
  try_network_setting("ipv4/tcp_recovery", "5");
  try_network_setting("ipv4/tcp_min_rtt_wlen", "0");
  // Windows that fill a link but not the machine's memory.
  try_network_setting("ipv4/tcp_rmem", fmt::format("4096 {0} {0}", kReceiveBuffer));
  try_network_setting("ipv4/tcp_wmem", "4096 262144 524288");
}

bool forget_senders() {
  return try_network_setting("bridge/bridge-nf-call-iptables", "1");
}

}  // namespace gradwire::testbed
