#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "results/record/statistics.h"
#include "results/record/stored_run.h"
#include "testbed/netlink.h"
#include "tests/harness/network_of.h"
#include "tests/harness/program.h"

/// What a run finds out about links, and a data port that goes down while it measures.
namespace gradwire::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Sets an interface of a process's network namespace down.
void set_down(pid_t pid, const std::string& interface) {
  const int ended = in_network_of(pid, [&] {
    testbed::Netlink().set_up(interface, false);
    return 0;
  });
  ASSERT_EQ(ended, 0) << "set " << interface << " of process " << pid;
}

/// Sets it down and up again. Whether it was down for longer than a flap that is survived: this
/// machine stood still.
bool flap_takes_too_long(pid_t pid, const std::string& interface) {
  constexpr int kTooLong = 3;
  const int ended = in_network_of(pid, [&] {
    testbed::Netlink netlink;
    const auto began = std::chrono::steady_clock::now();
    netlink.set_up(interface, false);
    std::this_thread::sleep_for(200ms);
    netlink.set_up(interface, true);
    return std::chrono::steady_clock::now() - began > 1s ? kTooLong : 0;
  });
  EXPECT_TRUE(ended == 0 || ended == kTooLong) << "flap " << interface << " of process " << pid;
  return ended == kTooLong;
}

/// The process of a rank, by the address of its first port.
class Links : public Program {
 protected:
  /// An endless run whose ranks would wait for each other longer than finish() waits for them.
  [[nodiscard]] std::string patient(const std::string& algorithm, const std::string& wiring) const {
    return experiment(
        "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 600s\nalgorithm: " +
        algorithm + "\nwiring: \"" + wiring + "\"\n");
  }

  /// The workers of a run of four ranks that measures, by rank.
  [[nodiscard]] std::vector<pid_t> ranks() const {
    std::vector<pid_t> all = workers();
    if (all.size() != 4)
      throw std::runtime_error("there are " + std::to_string(all.size()) + " workers");
    return all;
  }
};

// Nobody but the rank itself knows whose link is down: in a ring each neighbour waits for another.
TEST_F(Links, ThePortThatIsDownIsNamedItself) {
  for (const auto& [algorithm, wiring] :
       {std::pair("ring", "single-switch(4)"), std::pair("ps", "single-switch(4)"),
        std::pair("bml", "bcube(2,2)")}) {
    const fs::path out = scratch_ / algorithm;
    const pid_t run = start_measuring({"run", patient(algorithm, wiring), "-o", out}, out, 3);
    const auto all = ranks();
    set_down(all[1], "p0");
    EXPECT_EQ(finish(run), commands::kExitRunFailed) << "without waiting for the timeout";
    EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("rank 1, port 0: link down: p0 is down"))
        << algorithm;
    EXPECT_TRUE(marked().empty());
  }
}

// A rank notices by its timeout, before the link has been down for long enough, and says why.
TEST_F(Links, AShortTimeoutBlamesNobodyElse) {
  const fs::path out = scratch_ / "run";
  const std::string file = experiment(
      "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 1s\n"
      "algorithm: ring\nwiring: \"single-switch(4)\"\n");
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 3);
  const auto all = ranks();
  set_down(all[1], "p0");
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("rank 1, port 0: link down: p0 is down"));
}

// Nobody reaches the host, which is told from one port that is down.
TEST_F(Links, AHostWithoutALinkIsNamedAsSuch) {
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", patient("bml", "bcube(2,2)"), "-o", out}, out, 3);
  const auto all = ranks();
  set_down(all[2], "p0");
  set_down(all[2], "p1");
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"),
              HasSubstr("error: rank 2: link down: all its ports are down (p0, p1)\n"));
}

// Down for a moment, up again: TCP sends again what was lost, and the run goes on. Its row says so,
// and the run said which link, for how long, and when.
TEST_F(Links, AShortFlapIsSurvivedAndTold) {
  const fs::path out = scratch_ / "run";
  const pid_t run =
      start_measuring({"run", patient("ring", "single-switch(4)"), "-o", out}, out, 3);
  const auto all = ranks();
  if (flap_takes_too_long(all[1], "p0")) {
    ::kill(run, SIGKILL);
    static_cast<void>(finish(run));
    GTEST_SKIP() << "this machine stood still for a second";
  }
  await_samples(out, samples(out) + 5);
  ::kill(run, SIGINT);
  EXPECT_EQ(finish(run), 130);
  EXPECT_THAT(read(scratch_ / "stderr"),
              ContainsRegex("gradwire: rank 1, port 0: p0 was down for [0-9.]+ s, in iteration "
                            "[0-9]+ of ring on single-switch\\(4\\)"));
  EXPECT_THAT(read(out / "results.json"), HasSubstr("\"link-changed\""));
}

// 10 Mbit/s take 59 ms for a burst of 72 KiB, which passes in a small part of that if the bucket is
// full. A rate, from which a burst is taken off, would be a sixth too low if it was empty.
TEST_F(Links, AreMeasuredWithFullBuckets) {
  const std::string file = experiment(
      "dilation: 100\nelements: 3000\niterations: 1\nalgorithm: ring\n"
      "wiring: \"single-switch(2)\"\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const auto links =
      nlohmann::json::parse(read(out / "calibration.json")).at("wirings").at("single-switch(2)");
  const double expected = links.at("expected_bytes_per_s");
  const auto burst = links.at("burst_bytes_per_s");  // null: no clock could see how long it took
  EXPECT_TRUE(burst.is_null() || burst.get<double>() > 3 * expected) << links;
  EXPECT_GT(links.at("together_bytes_per_s").get<double>(), 0.93 * expected) << links;
}

// 20,000 floats in a ring of two: 80 kB leave each port, of which a full bucket passes 74 kB at once. At 10 Mbit/s an
// empty one would take 64 ms for them, 640 us undilated.
TEST_F(Links, HaveFullBucketsWhenAnIterationBegins) {
  const std::string file = experiment(
      "dilation: 100\nelements: 20000\nwarmup: 1\niterations: 5\nalgorithm: ring\n"
      "wiring: \"single-switch(2)\"\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const record::StoredRun run = record::read_run(out);
  EXPECT_LT(record::summarize(run.points.at(0).gst).median, 320e-6);
}

// A bit that changes behind the kernel's back, in every rank's receives.
TEST_F(Links, AFlippedBitIsNamedWithRankPortAndFrame) {
  const std::string file = patient("ring", "single-switch(4)");
  const fs::path out = scratch_ / "run";
  const pid_t run = start_with(FLIP_BITS, {"run", file, "-o", out});
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"),
              ContainsRegex("rank [0-3], peer [0-3], port 0, lane 0, step [0-9]: corrupted: frame "
                            "[0-9]+ that came over p0 has CRC32C"));
}

// The row says with what its bits were checked.
TEST_F(Links, ARowSaysWhatWasChecked) {
  const std::string text =
      "dilation: 4\nelements: 3000\niterations: 2\nalgorithm: ring\nwiring: \"single-switch(2)\"\n";
  for (const std::string integrity : {"crc32c", "off"}) {
    const fs::path out = scratch_ / integrity;
    const std::string file = experiment("integrity: " + integrity + "\n" + text);
    ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
    EXPECT_THAT(read(out / "results.json"), HasSubstr("\"integrity\": \"" + integrity + "\""));
    EXPECT_EQ(read(scratch_ / "stdout").find("integrity-off") != std::string::npos,
              integrity == "off");
  }
}

}  // namespace
}  // namespace gradwire::testing
