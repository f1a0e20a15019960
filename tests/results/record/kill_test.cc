// A writer is killed at any moment, again and again, while a reader reads what it writes.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "results/record/stored_run.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

/// `make kill-test` asks for 1000.
int kills() {
  const char* const asked = std::getenv("GRADWIRE_KILLS");
  return asked == nullptr ? 25 : std::atoi(asked);
}

/// Appends samples until it is killed, and acknowledges each with a byte after append returned.
[[noreturn]] void write_until_killed(const fs::path& path, bool exists, int acknowledge) {
  RunFolder folder = exists ? RunFolder::resume(path) : create_folder(path);
  folder.begin_attempt(exists ? 1 : 0);
  PointRecord point = point_record(0, folder.attempt());
  point.iterations = 1'000'000;
  folder.begin(point);
  for (int i = 1;; ++i) {
    Sample made = sample(point, static_cast<std::size_t>(i), i);
    made.ranks.resize(300, made.ranks.front());  // more than a page
    folder.append(made);
    if (::write(acknowledge, "", 1) != 1) std::_Exit(1);
  }
}

/// A killed writer, and the bytes it had acknowledged.
class Writer {
 public:
  Writer(const fs::path& path, bool exists) {
    int ends[2];
    checked(::pipe(ends), "make a pipe");
    acknowledged_ = FileDescriptor(ends[0]);
    process_ = checked(::fork(), "fork");
    if (process_ == 0) {
      ::alarm(60);
      write_until_killed(path, exists, ends[1]);
    }
    ::close(ends[1]);
  }

  /// Waits for so many samples, kills, and returns how many were acknowledged in all.
  std::size_t kill_after(std::size_t samples, useconds_t pause) {
    std::size_t count = 0;
    while (count < samples) count += take();
    ::usleep(pause);
    ::kill(process_, SIGKILL);
    int status = 0;
    ::waitpid(process_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (std::size_t more = take(); more > 0; more = take()) count += more;
    return count;
  }

 private:
  std::size_t take() {
    char bytes[64];
    const ssize_t got = ::read(acknowledged_.get(), bytes, sizeof bytes);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  FileDescriptor acknowledged_;
  pid_t process_ = 0;
};

std::size_t samples_in(const StoredRun& run) {
  return run.points.empty() ? 0 : run.points.front().gst.size();
}

// No acknowledged sample is lost; no reader fails, neither beside the writer nor after its end,
// but for half a line at the end, which it names.
TEST(Kill, LosesNothingThatWasAcknowledged) {
  std::mt19937_64 random(4711);
  for (int i = 0; i < kills(); ++i) {
    const ScratchFolder scratch;
    const fs::path path = scratch / "run";
    std::size_t acknowledged = 0;
    for (const bool exists : {false, true}) {
      Writer writer(path, exists);
      const std::size_t wanted = 1 + random() % 8;
      acknowledged += writer.kill_after(wanted, static_cast<useconds_t>(random() % 3000));
      const StoredRun run = read_run(path);
      ASSERT_GE(samples_in(run), acknowledged);
      ASSERT_LE(run.problems.size(), 1u) << run.problems.back().message();
      if (!run.problems.empty()) {
        ASSERT_EQ(run.problems.front().what, "ends in the middle of the line");
      }
      for (std::size_t k = 0; k < acknowledged && !exists; ++k) {
        ASSERT_NEAR(run.points.front().gst[k], static_cast<double>(k + 1) * 1e-6, 1e-12);
      }
      acknowledged = samples_in(run);
    }
  }
}

TEST(Kill, AReaderBesideAWriterNeverFails) {
  const ScratchFolder scratch;
  const fs::path path = scratch / "run";
  Writer writer(path, false);
  std::size_t seen = 0;
  std::size_t reads = 0;
  while (seen < 200) {
    if (!fs::exists(path)) continue;
    const StoredRun run = read_run(path);
    ASSERT_THAT(run.problems, IsEmpty()) << run.problems.front().message();
    ASSERT_EQ(run.status, RunStatus::running);
    ASSERT_GE(samples_in(run), seen);
    seen = samples_in(run);
    ++reads;
  }
  EXPECT_GT(reads, 1u);
  static_cast<void>(writer.kill_after(1, 0));
}

}  // namespace
}  // namespace gradwire::record
