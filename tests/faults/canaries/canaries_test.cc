// Faults that are planted so that a check finds them. A check that was never seen to find anything
// is none. docs/architecture.md lists them all.
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "testbed/netlink.h"
#include "tests/harness/network_of.h"
#include "tests/harness/program.h"
#include "tests/testbed/to_nobody.h"

namespace gradwire::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Sends datagrams to nobody through an interface, until it has carried so many bytes more.
void send_through(const std::string& interface, std::uint64_t bytes) {
  testbed::Netlink netlink;
  const testbed::testing::ToNobody nobody(interface);
  const std::vector<char> datagram(8000);
  const std::uint64_t wanted = netlink.counters(interface).sent_bytes + bytes;
  while (netlink.counters(interface).sent_bytes < wanted) nobody.send(datagram);
}

class Canary : public Program {};

// The frames' CRC32C would find it first; without, only the sum can tell.
TEST_F(Canary, AWrongSumIsFound) {
  const std::string file = experiment(
      "dilation: 4\nelements: 300000\niterations: 10\nintegrity: off\nalgorithm: ring\n"
      "wiring: \"single-switch(4)\"\n");
  const fs::path out = scratch_ / "run";
  ::setenv("FLIP_BITS_AGAIN", "1", 1);  // the same workers have calibrated links before
  const pid_t run = start_with(FLIP_BITS, {"run", file, "-o", out});
  ::unsetenv("FLIP_BITS_AGAIN");
  EXPECT_EQ(finish(run), commands::kExitWrongData) << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("wrong-data"));
  EXPECT_THAT(read(scratch_ / "stdout"), ContainsRegex("wrong elements in all: [1-9]"));
}

// A port that carries what no Plan sends there: another's bytes, or those of another port. Of two
// points that take turns, it is that one's row whose turn it was. The planned bytes of a port are
// 50 MB and more, of which 3 % may be off.
TEST_F(Canary, BytesOnAPortThatNobodyPlannedAreFound) {
  const std::string file = experiment(
      "dilation: 4\nelements: 300000\niterations: 60\ntimeout: 60s\nwiring: \"bcube(2,2)\"\n"
      "sweep: {product: {algorithm: [bml, striped-rings]}}\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 1);
  const auto all = workers();
  ASSERT_EQ(all.size(), 4u);
  for (const pid_t worker : all) ::kill(worker, SIGSTOP);       // nobody ends before it is planted
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the next turn has begun
  const int sent = in_network_of(all[1], [] {
    send_through("p1", 16'000'000);
    return 0;
  });
  EXPECT_EQ(sent, 0);
  for (const pid_t worker : all) ::kill(worker, SIGCONT);
  EXPECT_EQ(finish(run), commands::kExitOk) << read(scratch_ / "stderr");
  std::size_t marked = 0;
  std::istringstream table(read(scratch_ / "stdout"));
  for (std::string line; std::getline(table, line);) {
    const bool is_row = line.starts_with("   bml ") || line.starts_with("   striped-rings ");
    if (is_row && line.find("bytes-off-plan") != std::string::npos) ++marked;
  }
  EXPECT_EQ(marked, 1u) << read(scratch_ / "stdout");
}

}  // namespace
}  // namespace gradwire::testing
