#include <string>

#include <gmock/gmock.h>
#include <sched.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/netlink.h"
#include "tests/harness/program.h"

/// A data port that goes down while a run measures.
namespace gradwire::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Sets an interface of a process's network namespace up or down.
void set_link(pid_t pid, const std::string& interface, bool up) {
  const auto open_namespace = [pid](const char* kind) {
    const std::string path = "/proc/" + std::to_string(pid) + "/ns/" + kind;
    return FileDescriptor(checked(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path));
  };
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    try {
      const FileDescriptor user = open_namespace("user");
      const FileDescriptor net = open_namespace("net");
      checked(::setns(user.get(), CLONE_NEWUSER), "enter the user namespace");
      checked(::setns(net.get(), CLONE_NEWNET), "enter the network namespace");
      testbed::Netlink().set_up(interface, up);
      ::_exit(0);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(1);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0) << "set " << interface << " of process " << pid;
}

/// The process of a rank, by the address of its first port.
class Links : public Program {
 protected:
  /// An endless run whose ranks would wait a minute for each other.
  [[nodiscard]] std::string patient(const std::string& algorithm, const std::string& wiring) const {
    return experiment(
        "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 60s\nalgorithm: " + algorithm +
        "\nwiring: \"" + wiring + "\"\n");
  }
};

// Nobody but the rank itself knows whose link is down: in a ring each neighbour waits for another.
TEST_F(Links, ThePortThatIsDownIsNamedItself) {
  for (const auto& [algorithm, wiring] :
       {std::pair("ring", "single-switch(4)"), std::pair("ps", "single-switch(4)"),
        std::pair("bml", "bcube(2,2)")}) {
    const fs::path out = scratch_ / algorithm;
    const pid_t run = start({"run", patient(algorithm, wiring), "-o", out});
    await_samples(out, 3);
    const auto all = workers();
    ASSERT_EQ(all.size(), 4u);
    set_link(all[1], "p0", false);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(finish(run), commands::kExitRunFailed);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 30s) << "without waiting for the timeout";
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
  const pid_t run = start({"run", file, "-o", out});
  await_samples(out, 3);
  const auto all = workers();
  ASSERT_EQ(all.size(), 4u);
  set_link(all[1], "p0", false);
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("rank 1, port 0: link down: p0 is down"));
}

// Down for a moment, up again: TCP sends again what was lost, and the run goes on.
TEST_F(Links, AShortFlapIsSurvived) {
  const fs::path out = scratch_ / "run";
  const pid_t run = start({"run", patient("ring", "single-switch(4)"), "-o", out});
  await_samples(out, 3);
  const auto all = workers();
  ASSERT_EQ(all.size(), 4u);
  set_link(all[1], "p0", false);
  std::this_thread::sleep_for(200ms);
  set_link(all[1], "p0", true);
  await_samples(out, samples(out) + 5);
  ::kill(run, SIGINT);
  EXPECT_EQ(finish(run), 130);
}

// A bit that changes behind the kernel's back, in every rank's receives.
TEST_F(Links, AFlippedBitIsNamedWithRankPortAndFrame) {
  const std::string file = patient("ring", "single-switch(4)");
  const fs::path out = scratch_ / "run";
  ::setenv("LD_PRELOAD", FLIP_BITS, 1);
  const pid_t run = start({"run", file, "-o", out});
  ::unsetenv("LD_PRELOAD");
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
    ASSERT_EQ(finish(start({"run", file, "-o", out})), commands::kExitOk)
        << read(scratch_ / "stderr");
    EXPECT_THAT(read(out / "results.json"), HasSubstr("\"integrity\": \"" + integrity + "\""));
    EXPECT_EQ(read(scratch_ / "stdout").find("integrity-off") != std::string::npos,
              integrity == "off");
  }
}

}  // namespace
}  // namespace gradwire::testing
