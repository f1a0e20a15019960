// How a run ends that is interrupted, killed, stopped, or cannot say what it has found.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kPatience;
using testing::Program;
using testing::read;

class Ends : public Program {
 protected:
  ~Ends() override {
    for (const char* name :
         {"LD_PRELOAD", "GRADWIRE_PRCTL_GATE", "GRADWIRE_PRCTL_REFUSED", "GRADWIRE_HANGS_UP"}) {
      ::unsetenv(name);
    }
  }

  /// The program with what a shell does first, such as "ulimit -f 8;", and with redirections.
  [[nodiscard]] static std::vector<std::string> in_shell(const std::string& before,
                                                         std::vector<std::string> arguments,
                                                         const std::string& after = "") {
    std::vector<std::string> words{"-c", before + " exec \"$0\" \"$@\" " + after, GRADWIRE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }

  template <class Holds>
  [[nodiscard]] static bool await(const Holds& holds) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }

  [[nodiscard]] bool await_nothing_left() const {
    return await([this] { return marked().empty(); });
  }

  /// Starts an endless run whose sandbox has a first process that waits before it does anything,
  /// and returns once it waits. open_gate() lets it go on.
  [[nodiscard]] pid_t start_at_gate() {
    fs::remove(gate_);
    fs::remove(gate_ + ".reached");
    ::setenv("LD_PRELOAD", GRADWIRE_START_FAULTS, 1);
    ::setenv("GRADWIRE_PRCTL_GATE", gate_.c_str(), 1);
    const pid_t run = start({"run", endless(), "-o", out_ + std::to_string(++runs_)});
    EXPECT_TRUE(await([this] { return fs::exists(gate_ + ".reached"); }));
    return run;
  }
  void open_gate() const { std::ofstream(gate_) << "open"; }

  /// The first process of a run's sandbox.
  [[nodiscard]] pid_t first_process(pid_t run) const {
    for (const pid_t pid : marked()) {
      const std::string folder = "/proc/" + std::to_string(pid) + "/";
      const std::string parent = "PPid:\t" + std::to_string(run) + "\n";
      if (read(folder + "comm") == "gw-caretaker\n") continue;
      if (read(folder + "status").find(parent) != std::string::npos) return pid;
    }
    return -1;
  }

  const std::string gate_ = scratch_ / "gate";
  const std::string out_ = scratch_ / "run";
  int runs_ = 0;
};

// Whoever dies before the sandbox's first process has asked to die with it cannot be heard of by
// signal any more.
TEST_F(Ends, KilledBeforeItsSandboxListens) {
  const pid_t run = start_at_gate();
  ::kill(run, SIGKILL);
  EXPECT_EQ(finish(run), 128 + SIGKILL);
  open_gate();
  EXPECT_TRUE(await_nothing_left());
}

// Libraries may have handlers of their own.
TEST_F(Ends, HungUpBeforeItsMain) {
  ::setenv("LD_PRELOAD", GRADWIRE_START_FAULTS, 1);
  ::setenv("GRADWIRE_HANGS_UP", "1", 1);
  EXPECT_EQ(finish(start({"version"})), 128 + SIGHUP);
}

// Process 1 of a namespace never sees a signal that it has no handler for.
TEST_F(Ends, InterruptedBeforeItsSandboxListens) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t run = start_at_gate();
    ::kill(run, signal);
    std::this_thread::sleep_for(20ms);  // handed on before the gate opens; after it does as well
    open_gate();
    EXPECT_EQ(finish(run), 128 + signal);
    EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("gradwire run --resume " + out_));
    EXPECT_TRUE(await_nothing_left());
  }
}

TEST_F(Ends, InterruptedWhileMeasuring) {
  const std::string file = endless();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const fs::path out = out_ + std::to_string(signal);
    const pid_t run = start_measuring({"run", file, "-o", out}, out, 5);
    ::kill(run, signal);
    EXPECT_EQ(finish(run), 128 + signal);
    const auto rows = nlohmann::json::parse(read(out / "results.json")).at("rows");
    EXPECT_EQ(rows.size(), 1u);
    EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("incomplete"));
    EXPECT_TRUE(marked().empty());
  }
}

TEST_F(Ends, SaysHowItsMeasuringProcessDied) {
  const pid_t run = start_measuring({"run", endless(), "-o", out_}, out_, 3);
  ::kill(first_process(run), SIGKILL);
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), AllOf(HasSubstr("was killed by signal 9"),
                                               HasSubstr("gradwire run --resume " + out_)));
  EXPECT_TRUE(await_nothing_left());
}

TEST_F(Ends, SaysWhatASandboxLacks) {
  ::setenv("LD_PRELOAD", GRADWIRE_START_FAULTS, 1);
  ::setenv("GRADWIRE_PRCTL_REFUSED", "1", 1);
  EXPECT_EQ(finish(start({"run", endless(), "-o", out_})), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("prctl(PR_SET_PDEATHSIG): "));
}

// As a shell's job: Ctrl-Z reaches all processes of the group at once, and so does what ends it.
TEST_F(Ends, StandsStillAfterCtrlZForLongerThanItsTimeout) {
  const pid_t run = start({"run", endless(), "-o", out_}, StartIn::group);
  await_samples(out_, 3);
  ::kill(-run, SIGTSTP);
  int status = 0;
  ASSERT_TRUE(await([&] { return ::waitpid(run, &status, WUNTRACED | WNOHANG) == run; }));
  ASSERT_TRUE(WIFSTOPPED(status)) << read(scratch_ / "stderr");
  const std::size_t before = samples(out_);
  std::this_thread::sleep_for(3s);  // the experiment's timeout is 2 s
  EXPECT_EQ(samples(out_), before);
  ::kill(-run, SIGCONT);
  await_samples(out_, before + 5);
  ::kill(run, SIGINT);
  EXPECT_EQ(finish(run), 128 + SIGINT) << read(scratch_ / "stderr");
  EXPECT_TRUE(await_nothing_left());
}

// A table that nobody got is no success, whoever prints it.
TEST_F(Ends, FailsWhenItsTableIsLost) {
  const std::string keys =
      "elements: 9000\nwarmup: 0\niterations: 2\nalgorithm: ring\nwiring: single-switch(2)\n";
  for (const std::string backing : {"emulated\ndilation: 10\n", "simulated\n"}) {
    const std::string file = experiment(keys + "backing: " + backing);
    const std::string out = out_ + std::to_string(++runs_);
    const auto arguments = in_shell("", {"run", file, "-o", out}, "> /dev/full");
    EXPECT_EQ(finish(start(arguments, StartIn::shell)), commands::kExitRunFailed) << backing;
    EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("No space left on device")) << backing;
  }
}

// Without streams, the run's own files would become them.
TEST_F(Ends, WritesNoMessagesIntoItsFiles) {
  const std::string file = experiment(
      "elements: 9000\nwarmup: 0\niterations: 1\nbacking: simulated\nalgorithm: ring\n"
      "wiring: single-switch(4)\n");
  for (const std::string closed : {"2>&-", ">&-", "<&- >&- 2>&-"}) {
    const std::string out = out_ + std::to_string(++runs_);
    EXPECT_EQ(finish(start(in_shell("", {"run", file, "-o", out}, closed), StartIn::shell)),
              commands::kExitOk)
        << closed;
    EXPECT_EQ(finish(start({"results", "show", out})), commands::kExitOk)
        << closed << read(scratch_ / "stderr");
  }
}

// As a full disk: what was written stays readable, and nothing unfinished lies beside it.
TEST_F(Ends, SaysThatAFileIsAsLargeAsTheUserAllows) {
  const std::string file = experiment(
      "elements: 9000\nwarmup: 0\niterations: 1\nbacking: simulated\nwiring: single-switch(4)\n"
      "sweep: {product: {algorithm: [ring, ps, double-tree, halving-doubling]}}\n");
  const auto arguments = in_shell("ulimit -f 1;", {"run", file, "-o", out_});
  EXPECT_EQ(finish(start(arguments, StartIn::shell)), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("File too large"));
  const auto entries = fs::recursive_directory_iterator(scratch_);
  EXPECT_TRUE(std::none_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().string().find(".partial-") != std::string::npos;
  }));
}

}  // namespace
}  // namespace gradwire::harness
