#include "core/caretaker.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/standard_streams.h"

namespace gradwire {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CaretakerTest : public ::testing::Test {
 protected:
  CaretakerTest() { fs::create_directories(folder_); }
  ~CaretakerTest() override { fs::remove_all(folder_); }

  /// Runs `body` in a process that has a caretaker, and waits for its end.
  static void in_process(const std::function<void()>& body) {
    const pid_t pid = checked(::fork(), "fork");
    if (pid == 0) {
      const Caretaker caretaker;
      body();
      ::raise(SIGKILL);
    }
    ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
  }

  [[nodiscard]] static bool vanishes(const fs::path& path) {
    for (int i = 0; i < 2000 && fs::exists(path); ++i) std::this_thread::sleep_for(10ms);
    return !fs::exists(path);
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("gw-caretaker-" + std::to_string(::getpid()));
};

TEST_F(CaretakerTest, RemovesWhatAKilledProcessLeaves) {
  const fs::path finished = folder_ / "finished";
  const fs::path unfinished = folder_ / "unfinished";
  in_process([&] {
    fs::create_directories(finished);
    { const Unfinished done(finished); }
    auto* const left = new Unfinished(unfinished);
    fs::create_directories(unfinished / "with" / "more");
    ::raise(SIGKILL);
    delete left;
  });
  EXPECT_TRUE(vanishes(unfinished));
  EXPECT_TRUE(fs::exists(finished));
}

// The process that is killed first may be one that only waits for another, which has closed all that
// it does not need.
TEST_F(CaretakerTest, WaitsForAllForkedProcesses) {
  const fs::path used = folder_ / "used";
  int ends[2] = {-1, -1};
  checked(::pipe(ends), "pipe");
  in_process([&] {
    fs::create_directories(used);
    auto* const left = new Unfinished(used);
    if (checked(::fork(), "fork") > 0) ::raise(SIGKILL);
    const pid_t self = ::getpid();
    if (::write(ends[1], &self, sizeof self) != sizeof self) ::raise(SIGKILL);
    drop_descriptors_except(Caretaker::connection_of_caller());
    ::alarm(60);
    ::pause();
    delete left;
  });
  pid_t user = -1;
  ASSERT_EQ(::read(ends[0], &user, sizeof user), static_cast<ssize_t>(sizeof user));
  std::this_thread::sleep_for(200ms);  // longer than a caretaker that does not wait takes
  EXPECT_TRUE(fs::exists(used));
  ::kill(user, SIGKILL);
  EXPECT_TRUE(vanishes(used));
  for (const int end : ends) ::close(end);
}

TEST_F(CaretakerTest, IsNotNeeded) {
  const Unfinished alone(folder_ / "alone");
  fs::create_directories(folder_ / "alone");
  EXPECT_TRUE(fs::exists(folder_ / "alone"));
}

}  // namespace
}  // namespace gradwire
