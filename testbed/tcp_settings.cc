#include "testbed/tcp_settings.h"

#include <fmt/core.h>

#include "testbed/sysctl.h"

namespace gradwire::testbed {

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
  // Windows that fill a link but not the machine's memory.
  try_network_setting("ipv4/tcp_rmem", fmt::format("4096 {0} {0}", kReceiveBuffer));
  try_network_setting("ipv4/tcp_wmem", "4096 262144 524288");
}

bool forget_senders() {
  return try_network_setting("bridge/bridge-nf-call-iptables", "1");
}

}  // namespace gradwire::testbed
