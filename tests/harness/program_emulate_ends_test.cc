// How `gradwire emulate` ends that is interrupted, killed or stopped, and its shell in a terminal.
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>

#include "program_emulate.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::Emulated;
using ::testing::HasSubstr;
using testing::kPatience;

class EmulateEnds : public Emulated {
 protected:
  /// Starts commands that say "up" and go on, and returns when all have.
  [[nodiscard]] pid_t start_endless(const std::string& script = "echo up; exec sleep 1000",
                                    StartIn in = StartIn::plain) const {
    const pid_t pid = start(words({"single-switch(2)"}, script), in);
    EXPECT_TRUE(await([this] {
      return out().find("[0] up") != std::string::npos && out().find("[1] up") != std::string::npos;
    }));
    return pid;
  }
};

/// A program in a terminal of its own.
class Terminal {
 public:
  explicit Terminal(const std::string& script) {
    pid_ = ::forkpty(&fd_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    ::_exit(99);
  }
  ~Terminal() {
    ::kill(pid_, SIGKILL);
    ::close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void type(const std::string& text) const {
    EXPECT_EQ(::write(fd_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// Whether `text` comes, after what was awaited before.
  [[nodiscard]] bool await(const std::string& text) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (shown_.find(text) == std::string::npos) {
      pollfd polled{.fd = fd_, .events = POLLIN, .revents = 0};
      ::poll(&polled, 1, 100);
      char some[1024];
      const ssize_t size = polled.revents != 0 ? ::read(fd_, some, sizeof some) : 0;
      if (size < 0 || std::chrono::steady_clock::now() > until) return false;
      shown_.append(some, static_cast<std::size_t>(size));
    }
    shown_.erase(0, shown_.find(text) + text.size());
    return true;
  }
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  int fd_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

TEST_F(EmulateEnds, EndsAllWhenInterrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t pid = start_endless();
    ::kill(pid, signal);
    EXPECT_EQ(finish(pid), 128 + signal) << err();
    EXPECT_TRUE(marked().empty());
    EXPECT_TRUE(fs::is_empty(temporary_));
  }
}

// As Ctrl-C in a terminal: the commands get the signal at the same time.
TEST_F(EmulateEnds, EndsWithTheInterruptThatItsCommandsGetToo) {
  const pid_t pid =
      start_endless("trap 'exit 1' INT; echo up; while :; do sleep 0.05; done", StartIn::group);
  ::kill(-pid, SIGINT);
  EXPECT_EQ(finish(pid), 130) << err();
}

// At any moment; what is left is looked for when the test ends.
TEST_F(EmulateEnds, LeavesNothingWhenKilled) {
  for (int i = 0; i < 12; ++i) {
    const pid_t pid =
        start(words({"bcube(2,2)"}, "trap '' TERM; (setsid sleep 1000) & sleep 1000"));
    std::this_thread::sleep_for(i * 15ms);
    ::kill(pid, SIGKILL);
    EXPECT_EQ(finish(pid), 137);
    EXPECT_TRUE(await([this] { return marked().empty() && fs::is_empty(temporary_); })) << i;
  }
}

// What commands leave in the background ends with them.
TEST_F(EmulateEnds, EndsWhatItsCommandsLeave) {
  EXPECT_EQ(emulate({"single-switch(2)"}, "(setsid sleep 1000) & (setsid nohup sleep 1000) &"), 0);
  EXPECT_TRUE(marked().empty());
}

TEST_F(EmulateEnds, StopsAndGoesOnAsAJob) {
  const pid_t pid =
      start_endless("echo up; while :; do echo tick; sleep 0.02; done", StartIn::group);
  ::kill(-pid, SIGTSTP);
  int status = 0;
  ASSERT_TRUE(await([&] { return ::waitpid(pid, &status, WUNTRACED | WNOHANG) == pid; }));
  ASSERT_TRUE(WIFSTOPPED(status)) << err();
  const std::string before = out();
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(out().size(), before.size());
  ::kill(-pid, SIGCONT);
  EXPECT_TRUE(await([&] { return out().size() > before.size() + 100; }));
  ::kill(pid, SIGINT);
  EXPECT_EQ(finish(pid), 130) << err();
}

// Whoever reads the output has gone.
TEST_F(EmulateEnds, EndsWhenNobodyReadsItsOutput) {
  const std::string line = std::string("(") + GRADWIRE_PROGRAM +
                           " emulate 'single-switch(2)' -- sh -c 'while :; do echo text; done'; "
                           "echo code $? >&2) | head -n 1";
  EXPECT_EQ(finish(start({"-c", line}, StartIn::shell)), 0);
  EXPECT_THAT(err(), HasSubstr("write to stdout: Broken pipe"));
  EXPECT_THAT(err(), HasSubstr("code 1\n"));
}

// Commands that fail are only told of; the shell waits until that is done.
TEST_F(EmulateEnds, EndsWithItsShell) {
  const std::string line = "echo \"hostname; until grep -q 'exited with 3' " +
                           (scratch_ / "stderr").string() +
                           "; do sleep 0.05; done; exit 5\" | SHELL=/bin/sh " + GRADWIRE_PROGRAM +
                           " emulate 'single-switch(3)' --shell 1 -- sh -c 'test $RANK = 0 && "
                           "exit 3; exec sleep 1000'";
  EXPECT_EQ(finish(start({"-c", line}, StartIn::shell)), 5);
  EXPECT_EQ(out(), "h1\n");
  EXPECT_THAT(err(), HasSubstr("the command on host 0 exited with 3\n"));
}

// Ctrl-C in it reaches what it runs, and the terminal is the user's again when it has ended.
TEST_F(EmulateEnds, HasAShellInATerminal) {
  ::setenv("SHELL", "/bin/bash", 1);
  ::setenv("HOME", scratch_.c_str(), 1);
  Terminal terminal(std::string(GRADWIRE_PROGRAM) +
                    " emulate 'single-switch(2)' --shell 1; echo code-$?; read word; "
                    "echo got-$word");
  terminal.type("echo in-$(hostname)\n");
  ASSERT_TRUE(terminal.await("in-h1")) << terminal.shown();
  terminal.type(
      "sh -c 'trap \"echo cau\"\"ght; exit\" INT; echo be\"\"gun; while :; do sleep 0.05; done'\n");
  ASSERT_TRUE(terminal.await("begun")) << terminal.shown();
  terminal.type("\x03");
  ASSERT_TRUE(terminal.await("caught")) << terminal.shown();
  terminal.type("echo still-$(hostname)\n");
  ASSERT_TRUE(terminal.await("still-h1")) << terminal.shown();
  terminal.type("exit 3\n");
  ASSERT_TRUE(terminal.await("code-3")) << terminal.shown();
  terminal.type("something\n");
  EXPECT_TRUE(terminal.await("got-something")) << terminal.shown();
  EXPECT_EQ(finish(terminal.pid()), 0);
}

}  // namespace
}  // namespace gradwire::harness
