#include "testbed/tcp_counters.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

using ::testing::HasSubstr;

// Columns are found by their names, whatever else there is, and groups are told apart.
TEST(TcpCounters, AreReadByName) {
  std::istringstream snmp(
      "Ip: Forwarding RetransSegs\nIp: 1 77\n"
      "Tcp: RtoAlgorithm RetransSegs MaxConn\nTcp: 1 12 -1\n");
  std::istringstream netstat(
      "TcpExt: TCPFastRetrans Other TCPDSACKRecvSegs TCPLossProbes\nTcpExt: 8 9 7 2\n");
  const TcpCounters counters = parse_tcp_counters(snmp, netstat);
  EXPECT_EQ(counters.retransmitted, 12);
  EXPECT_EQ(counters.fast, 8);
  EXPECT_EQ(counters.duplicates, 7);
  EXPECT_EQ(counters.probes, 2);
}

TEST(TcpCounters, AreZeroWhereTheKernelHasNone) {
  std::istringstream snmp("Tcp: RtoAlgorithm\nTcp: 1\n");
  std::istringstream netstat;
  const TcpCounters counters = parse_tcp_counters(snmp, netstat);
  EXPECT_EQ(counters.retransmitted + counters.fast + counters.duplicates + counters.probes, 0);
}

// A name that is written wrongly here would read as 0 for ever.
TEST(TcpCounters, AreCalledSoByTheKernel) {
  const auto text = [](const char* path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  };
  EXPECT_THAT(text("/proc/net/snmp"), HasSubstr(" RetransSegs "));
  const std::string netstat = text("/proc/net/netstat");
  for (const char* name : {" TCPLossProbes ", " TCPFastRetrans "}) {
    EXPECT_THAT(netstat, HasSubstr(name));
  }
  if (netstat.find("TCPDSACKRecvSegs") == std::string::npos) {
    GTEST_SKIP() << "this kernel does not count duplicates by segments";
  }
}

// A thousand that were lost: their receiver has never seen them before. A probe may have been, too.
TEST(TcpCounters, CountWhatWasLost) {
  EXPECT_EQ((TcpCounters{.retransmitted = 1000, .fast = 1000}).lost(), 1000);
  EXPECT_EQ((TcpCounters{.retransmitted = 1000, .probes = 10, .fast = 990}).lost(), 1000);
}

// Fourteen that others overtook, which came twice, and a probe that did, too; and probes of what had
// not been sent before, which are nothing that was sent again.
TEST(TcpCounters, DoNotCountWhatCameTwice) {
  EXPECT_EQ((TcpCounters{.retransmitted = 14, .fast = 14, .duplicates = 14}).lost(), 0);
  EXPECT_EQ((TcpCounters{.retransmitted = 15, .probes = 1, .fast = 14, .duplicates = 15}).lost(),
            0);
  EXPECT_EQ((TcpCounters{.retransmitted = 3, .probes = 9, .fast = 3}).lost(), 3);
}

// What a timeout sends again was waited for, though all of it came twice.
TEST(TcpCounters, CountTimeouts) {
  EXPECT_EQ((TcpCounters{.retransmitted = 50, .duplicates = 50}).lost(), 50);
  EXPECT_EQ((TcpCounters{.retransmitted = 53, .fast = 3, .duplicates = 53}).lost(), 50);
}

// A probe of what was new is one of which nobody knows: it may hide what a timeout sent again.
TEST(TcpCounters, MayMissAsManyTimeoutsAsProbes) {
  EXPECT_EQ((TcpCounters{.retransmitted = 50, .probes = 9, .duplicates = 50}).lost(), 41);
}

// What came twice before is no excuse for what was lost since.
TEST(TcpCounters, AreOfTheTimeBetween) {
  const TcpCounters before{.retransmitted = 50, .duplicates = 50};
  TcpCounters after = before;
  after += {.retransmitted = 50, .fast = 50};
  TcpCounters between = after;
  between -= before;
  EXPECT_EQ(between.lost(), 50);
}

}  // namespace
}  // namespace gradwire::testbed
