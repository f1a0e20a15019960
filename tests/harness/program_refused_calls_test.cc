#include <array>
#include <csignal>

#include <gmock/gmock.h>

#include "program.h"
#include "tests/refused_calls.h"

/// The program on an older kernel, and in a container that forbids what is newer: it ends, right or
/// with the call's name.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::kYoungCalls;
using testing::Program;
using testing::read;
using testing::Refusal;
using testing::refusal_of_all;
using testing::refusals_of;
using testing::YoungCall;

using Words = std::vector<std::string>;

constexpr YoungCall kCloseRange{"close_range", 436};
constexpr auto kLongest = 10s;

/// What needs no namespaces.
class RefusedCalls : public Program {
 protected:
  void SetUp() override {}
  void TearDown() override { EXPECT_TRUE(nothing_is_left()); }
  ~RefusedCalls() override {
    for (const pid_t pid : marked()) ::kill(pid, SIGKILL);
  }

  [[nodiscard]] std::string small(const std::string& wiring = "single-switch(2)") const {
    return experiment("dilation: 4\nelements: 3000\niterations: 2\nalgorithm: ring\nwiring: \"" +
                      wiring + "\"\n");
  }

  /// The words of a run into a folder that is not there.
  [[nodiscard]] Words run_of(const std::string& file, const std::string& backing) const {
    const fs::path out = scratch_ / "run";
    fs::remove_all(out);
    return {"run", file, "--backing", backing, "-o", out};
  }

  /// Starts the program where the calls are refused.
  [[nodiscard]] pid_t start_refusing(const Refusal& refusal, const Words& words) const {
    return start_after([&] { return testing::refuse(refusal); }, words);
  }

  /// Expects that the program ends in time, right, as it does `otherwise`, or with a message that
  /// names a refused call.
  void expect_end(const Refusal& refusal, const Words& words,
                  int otherwise = commands::kExitOk) const {
    SCOPED_TRACE(words.front() + " without " + refusal.name);
    int code = finish(start_refusing(refusal, words), kLongest);
    for (int i = 1; i < kAttempts && code == commands::kExitPreflight && was_too_busy(); ++i) {
      forget(words);
      code = finish(start_refusing(refusal, words), kLongest);
    }
    const std::string said = read(scratch_ / "stdout") + read(scratch_ / "stderr");
    EXPECT_NE(code, -1) << "it did not end: " << said;
    EXPECT_NE(code, 99) << "seccomp does not work here";
    EXPECT_LT(code, 128) << said;
    EXPECT_TRUE(code == commands::kExitOk || code == otherwise ||
                testing::names_refused(said, refusal))
        << said;
    EXPECT_TRUE(nothing_is_left());
  }

  /// Expects it of every command that emulates nothing.
  void expect_ends(const Refusal& refusal) const {
    // It finds more to complain of where nothing can be emulated.
    expect_end(refusal, {"doctor"}, finish(start({"doctor"}), kLongest));
    expect_end(refusal, {"job", fs::path(GRADWIRE_ROOT) / "experiments/jobs/pipeline.yaml",
                         "single-switch(4)"});
    const Words run = run_of(small(), "simulated");
    expect_end(refusal, run);
    expect_end(refusal, {"report", run.back(), "-o", scratch_ / "page.html"});
  }

  /// Expects it of those that emulate.
  void expect_emulations_end(const Refusal& refusal) const {
    expect_end(refusal, {"emulate", "single-switch(2)", "--", "true"});
    expect_end(refusal, run_of(small(), "emulated"));
  }

  /// Whether every process that the test has started ends.
  [[nodiscard]] bool nothing_is_left() const {
    return await([this] { return marked().empty(); });
  }

  /// Looks until it holds, as long as a program may take. Whether it does.
  template <class Holds>
  [[nodiscard]] static bool await(const Holds& holds) {
    const auto until = std::chrono::steady_clock::now() + kLongest;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
};

class RefusedEmulations : public RefusedCalls {
 protected:
  void SetUp() override { Program::SetUp(); }
};

// As on Linux 4.18, and in a container that is as old.
TEST_F(RefusedCalls, AllAtOnce) {
  for (const int error : {ENOSYS, EPERM}) expect_ends(refusal_of_all(error));
}

TEST_F(RefusedCalls, OneByOne) {
  for (const YoungCall& call : kYoungCalls) {
    for (const Refusal& refusal : refusals_of(call)) expect_ends(refusal);
  }
}

// It is killed when its caretaker is there, which ends with it.
TEST_F(RefusedCalls, NoCaretakerOutlivesAKilledProgram) {
  const Words run = run_of(small("fat-tree(12)"), "simulated");
  for (const Refusal& refusal : refusals_of(kCloseRange)) {
    SCOPED_TRACE(refusal.name);
    fs::remove_all(run.back());
    const pid_t pid = start_refusing(refusal, run);
    const auto has_caretaker = [this] {
      const std::vector<pid_t> all = marked();
      return std::ranges::any_of(all, [](pid_t each) {
        return read("/proc/" + std::to_string(each) + "/comm") == "gw-caretaker\n";
      });
    };
    EXPECT_TRUE(await(has_caretaker));
    ::kill(pid, SIGKILL);
    EXPECT_EQ(finish(pid), 128 + SIGKILL);
    EXPECT_TRUE(nothing_is_left());
  }
}

// It has ended the wait of whoever started a process, and that of the caretaker.
TEST_F(RefusedEmulations, WithoutCloseRange) {
  for (const Refusal& refusal : refusals_of(kCloseRange)) {
    const Words words{"emulate", "single-switch(2)", "--no-counters", "--", "echo", "here"};
    EXPECT_EQ(finish(start_refusing(refusal, words), kLongest), commands::kExitOk) << refusal.name;
    EXPECT_EQ(read(scratch_ / "stdout").size(), std::string("[0] here\n[1] here\n").size());
    EXPECT_TRUE(nothing_is_left());
  }
}

TEST_F(RefusedEmulations, LeaveNothingWhenKilled) {
  const Words words{"emulate", "single-switch(2)", "--", "sh", "-c", "echo up; exec sleep 1000"};
  for (const Refusal& refusal : refusals_of(kCloseRange)) {
    SCOPED_TRACE(refusal.name);
    fs::remove(scratch_ / "stdout");
    const pid_t pid = start_refusing(refusal, words);
    EXPECT_TRUE(
        await([this] { return read(scratch_ / "stdout").find("up") != std::string::npos; }));
    ::kill(pid, SIGKILL);
    EXPECT_EQ(finish(pid), 128 + SIGKILL);
    EXPECT_TRUE(nothing_is_left());
  }
}

TEST_F(RefusedEmulations, AllAtOnce) {
  for (const int error : {ENOSYS, EPERM}) expect_emulations_end(refusal_of_all(error));
}

TEST_F(RefusedEmulations, OneByOne) {
  for (const YoungCall& call : kYoungCalls) {
    for (const Refusal& refusal : refusals_of(call)) expect_emulations_end(refusal);
  }
}

}  // namespace
}  // namespace gradwire::harness
