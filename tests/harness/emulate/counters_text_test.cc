#include "harness/emulate/counters_text.h"

#include <array>

#include <gtest/gtest.h>

namespace gradwire::emulate {
namespace {

TEST(CountersText, HasARowForEachPort) {
  const std::array ports{PortTraffic{.host = Rank(std::size_t{12}),
                                     .port = Port(std::size_t{1}),
                                     .address = "10.101.0.1",
                                     .carried = {.sent_bytes = 1000,
                                                 .received_bytes = 66,
                                                 .sent_packets = 2,
                                                 .received_packets = 1},
                                     .dropped = 3}};
  EXPECT_EQ(format_counters(ports),
            "#  host  port  address     sent       sent  received   received    dropped\n"
            "#                           (B)  (packets)       (B)  (packets)  (packets)\n"
            "     12  p1    10.101.0.1  1000          2        66          1          3\n");
}

}  // namespace
}  // namespace gradwire::emulate
