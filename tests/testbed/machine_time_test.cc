#include "testbed/machine_time.h"

#include <chrono>
#include <ctime>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gradwire::testbed {
namespace {

// proc(5): user nice system idle iowait irq softirq steal, in hundredths of a second.
TEST(ProcessorTimes, AreReadFromStat) {
  const auto times = processor_times(
      "cpu  100 20 30 4000 50 6 70 8 0 0\ncpu0 50 10 15 2000 25 3 35 4 0 0\n"
      "cpu1 50 10 15 2000 25 3 35 4 0 0\nintr 5 0\nctxt 7\n",
      100);
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->processors, 2u);
  EXPECT_DOUBLE_EQ(times->idle.count(), 40.5);
  EXPECT_DOUBLE_EQ(times->interrupts.count(), 0.76);
  EXPECT_FALSE(processor_times("", 100).has_value());
  EXPECT_FALSE(processor_times("cpu 1 2 3", 100).has_value());
  EXPECT_FALSE(processor_times("intr 1 2 3 4 5 6 7 8 9", 100).has_value());
}

TEST(TaskTimes, SayWhatATaskWaited) {
  EXPECT_EQ(waited_time("123456789 11748141 42\n"), Nanoseconds(11748141));
  EXPECT_FALSE(waited_time("").has_value());
}

// A thread that begins and ends between two looks, as a rank's communication does in an iteration,
// ran for its process: at least the 20 ms that its own clock counted.
TEST(TaskTimes, CountThreadsThatHaveEnded) {
  const auto before = task_times(::getpid());
  ASSERT_TRUE(before.has_value());
  std::thread([] {
    timespec ran{};
    while (ran.tv_nsec < 20'000'000) ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  }).join();
  const auto after = task_times(::getpid());
  ASSERT_TRUE(after.has_value());
  EXPECT_GE(after->ran - before->ran, std::chrono::milliseconds(20));
}

TEST(TaskTimes, OfAProcessThatIsNoMoreAreNone) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  EXPECT_FALSE(task_times(gone).has_value());
}

// Counts of the machine never fall, and this process is one of those that /proc shows. What all of
// them ran together can fall when one ends; program_machine_test.cc has a run of its own.
TEST(MachineTime, GoesOn) {
  const SteadyClock clock;
  const auto before = read_machine_time(clock);
  if (!before) GTEST_SKIP() << "/proc has no schedstat, or is of another pid namespace";
  const auto after = read_machine_time(clock);
  ASSERT_TRUE(after.has_value());
  EXPECT_GT(after->at, before->at);
  EXPECT_EQ(after->all.processors, before->all.processors);
  EXPECT_GE(after->all.idle, before->all.idle);
  EXPECT_GT(after->ours.ran, Nanoseconds::zero());
}

}  // namespace
}  // namespace gradwire::testbed
