#include <csignal>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>

#include "program.h"

/// The program where whoever starts it ignores signals or has them blocked.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using testing::Program;
using testing::read;

class InheritedSignals : public Program {
 protected:
  void SetUp() override {}

  /// Runs a line of a shell in which $program has its signals from a careless starter.
  [[nodiscard]] int run_carelessly(const std::string& line) const {
    const std::string program =
        "env --ignore-signal=CHLD,PIPE,XFSZ "
        "--block-signal=CHLD,HUP,INT,TERM,ALRM,USR1 " GRADWIRE_PROGRAM;
    const pid_t pid = start({"-c", "program='" + program + "'; " + line}, StartIn::shell);
    const int code = finish(pid);
    for (const pid_t left : marked()) ::kill(left, SIGKILL);
    return code;
  }

  [[nodiscard]] std::string said() const {
    return read(scratch_ / "stdout") + read(scratch_ / "stderr");
  }
};

// It says what it says without.
TEST_F(InheritedSignals, DoNotStopTheDoctor) {
  const int code = finish(start({"doctor"}));
  const std::string before = said();
  EXPECT_EQ(run_carelessly("exec $program doctor"), code);
  EXPECT_EQ(said(), before);
}

TEST_F(InheritedSignals, DoNotSpoilASimulation) {
  const std::string file = experiment("algorithm: ring\nelements: 300\nwiring: \"bcube(2,2)\"\n");
  EXPECT_EQ(run_carelessly("exec $program run --backing simulated " + file + " -o " +
                           (scratch_ / "run").string()),
            commands::kExitOk)
      << said();
}

// Commands have the signals of a shell's child: none of these ignored, none blocked.
TEST_F(InheritedSignals, DoNotReachTheCommandsOfEmulate) {
  Program::SetUp();
  if (IsSkipped()) return;
  EXPECT_EQ(
      run_carelessly("exec $program emulate 'single-switch(2)' --on 0 --no-prefix --no-counters -- "
                     "grep -E 'SigBlk|SigIgn' /proc/self/status"),
      commands::kExitOk)
      << said();
  std::istringstream lines(said());
  const auto signals = [&lines](const std::string& which) {
    std::string name;
    std::string bits;
    lines >> name >> bits;
    EXPECT_EQ(name, which);
    return std::strtoull(bits.c_str(), nullptr, 16);
  };
  EXPECT_EQ(signals("SigBlk:"), 0U) << said();
  const auto ignored = signals("SigIgn:");
  for (const int signal : {SIGCHLD, SIGPIPE, SIGXFSZ}) {
    EXPECT_EQ(ignored >> (signal - 1) & 1U, 0U) << signal;
  }
}

TEST_F(InheritedSignals, DoNotSpoilAMeasurement) {
  Program::SetUp();
  if (IsSkipped()) return;
  const std::string file = experiment(
      "dilation: 4\nelements: 3000\niterations: 3\nalgorithm: ring\nwiring: "
      "\"single-switch(2)\"\n");
  const std::string out = scratch_ / "run";
  int code = commands::kExitPreflight;
  for (int i = 0; i < kAttempts && code == commands::kExitPreflight; ++i) {
    fs::remove_all(out);
    code = run_carelessly("exec $program run " + file + " -o " + out);
  }
  EXPECT_EQ(code, commands::kExitOk) << said();
}

}  // namespace
}  // namespace gradwire::harness
