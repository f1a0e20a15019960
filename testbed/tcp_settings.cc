#include "testbed/tcp_settings.h"

#include <cstdio>

#include <fmt/core.h>
#include <sys/utsname.h>

#include "testbed/sysctl.h"

namespace gradwire::testbed {

std::size_t receive_buffer(const std::string& release) {
  int major = 0;
  int minor = 0;
  const bool is_known = std::sscanf(release.c_str(), "%d.%d", &major, &minor) == 2;
  const bool is_old = is_known && (major < 6 || (major == 6 && minor < 6));
  return is_old ? 2 * kReceiveWindow : kReceiveWindow / 15 * 16;
}

void configure_tcp() {
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
  utsname kernel{};
  ::uname(&kernel);
  try_network_setting("ipv4/tcp_rmem", fmt::format("4096 {0} {0}", receive_buffer(kernel.release)));
  try_network_setting("ipv4/tcp_wmem", "4096 262144 524288");
}

}  // namespace gradwire::testbed
