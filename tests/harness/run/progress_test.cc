#include "harness/run/progress.h"

#include <chrono>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/clock.h"

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;

constexpr const char* kClear = "\r\x1b[K";

class ProgressTest : public ::testing::Test {
 protected:
  /// What has been written since the last call.
  std::string written() {
    std::string text = stream_.str();
    stream_.str("");
    return text;
  }

  std::ostringstream stream_;
  ManualClock clock_;
};

// A simulation reports a thousand times a second.
TEST_F(ProgressTest, RewritesALineTenTimesASecond) {
  Progress progress(stream_, clock_, {.total = 10, .live = true});
  progress.update(0, "simulating");
  EXPECT_EQ(written(), kClear + std::string("[ 0/10] simulating"));
  clock_.advance(99ms);
  progress.update(1, "simulating");
  EXPECT_EQ(written(), "");
  clock_.advance(1ms);
  progress.update(2, "simulating");
  EXPECT_EQ(written(), kClear + std::string("[ 2/10] simulating, 1 s left"));
  progress.update(10, "simulating");
  EXPECT_EQ(written(), kClear + std::string("[10/10] simulating")) << "all is done";
}

TEST_F(ProgressTest, SaysAtOnceWhatComesNext) {
  Progress progress(stream_, clock_, {.total = 10, .live = true});
  progress.update(0, "one");
  progress.update(0, "another");
  EXPECT_EQ(written(), kClear + std::string("[ 0/10] one") + kClear + "[ 0/10] another");
  progress.clear();
  written();
  progress.update(0, "another");
  EXPECT_EQ(written(), kClear + std::string("[ 0/10] another")) << "the line was cleared";
}

TEST_F(ProgressTest, LogsALineEveryTenSecondsAndTheLast) {
  Progress progress(stream_, clock_, {.total = 4});
  progress.update(0, "one");
  progress.update(1, "two");
  EXPECT_EQ(written(), "[0/4] one\n");
  clock_.advance(10s);
  progress.update(2, "three");
  progress.update(3, "four");
  progress.update(4, "done");
  EXPECT_EQ(written(), "[2/4] three, 10 s left\n[4/4] done\n");
}

}  // namespace
}  // namespace gradwire::run
