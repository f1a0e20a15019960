#include "testbed/tcp_counters.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

// Columns are found by their names, whatever else there is, and groups are told apart.
TEST(TcpCounters, AreReadByName) {
  std::istringstream snmp(
      "Ip: Forwarding RetransSegs\nIp: 1 77\n"
      "Tcp: RtoAlgorithm RetransSegs MaxConn\nTcp: 1 12 -1\n");
  std::istringstream netstat(
      "TcpExt: TCPFastRetrans Other TCPDSACKRecv TCPLossProbes\nTcpExt: 8 9 7 2\n");
  const TcpCounters counters = parse_tcp_counters(snmp, netstat);
  EXPECT_EQ(counters.retransmitted, 12);
  EXPECT_EQ(counters.fast, 8);
  EXPECT_EQ(counters.duplicates, 7);
  EXPECT_EQ(counters.probes, 2);
}

TEST(TcpCounters, AreZeroWhereTheKernelHasNone) {
  std::istringstream snmp("Tcp: RtoAlgorithm\nTcp: 1\n");
  std::istringstream netstat;
  EXPECT_EQ(parse_tcp_counters(snmp, netstat).retransmitted, 0);
}

// A thousand that were lost: their receiver has never seen them before.
TEST(TcpCounters, CountWhatWasLost) {
  EXPECT_EQ((TcpCounters{.retransmitted = 1000, .fast = 1000}).lost(), 1000);
  EXPECT_EQ((TcpCounters{.retransmitted = 1000, .probes = 10, .fast = 990}).lost(), 990);
}

// Fourteen that packets overtook, which their receiver had already, and a probe that it had, too.
TEST(TcpCounters, DoNotCountWhatWasOvertaken) {
  EXPECT_EQ((TcpCounters{.retransmitted = 14, .fast = 14, .duplicates = 14}).lost(), 0);
  EXPECT_EQ((TcpCounters{.retransmitted = 15, .probes = 1, .fast = 14, .duplicates = 15}).lost(),
            0);
}

// What a timeout sends again was waited for, though the receiver had all of it.
TEST(TcpCounters, CountTimeouts) {
  EXPECT_EQ((TcpCounters{.retransmitted = 50, .duplicates = 50}).lost(), 50);
  EXPECT_EQ((TcpCounters{.retransmitted = 53, .fast = 3, .duplicates = 53}).lost(), 50);
}

// Duplicates of probes say nothing of three that were lost.
TEST(TcpCounters, DoNotTakeProbesForOvertaken) {
  EXPECT_EQ((TcpCounters{.retransmitted = 8, .probes = 5, .fast = 3, .duplicates = 5}).lost(), 3);
}

}  // namespace
}  // namespace gradwire::testbed
