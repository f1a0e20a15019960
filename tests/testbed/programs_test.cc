#include "testbed/programs.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "tests/testbed/burner.h"
#include "tests/testbed/in_sandbox.h"

namespace gradwire::testbed {
namespace {

// proc(5): utime and stime are fields 14 and 15, starttime is field 22. A name may hold anything.
TEST(ProgramOf, ReadsNumberNameTimesAndStart) {
  const auto program = program_of(
      "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 1 2 3 4 150 50 7 8 20 0 1 0 987654 1000 5 6\n",
      100);
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->process, 4711);
  EXPECT_EQ(program->name, "a) b (c");
  EXPECT_DOUBLE_EQ(program->ran.count(), 2.0);
  EXPECT_EQ(program->started, 987654U);
  EXPECT_FALSE(program_of("", 100).has_value());
  EXPECT_FALSE(program_of("4711 (a) S 1 2 3", 100).has_value());
  EXPECT_FALSE(program_of("x (a) S 1 1 1 0 -1 1 1 2 3 4 1 5 7 8 20 0 1 0 9 1", 100).has_value());
}

// PF_KTHREAD is 0x00200000, here in the flags of a ksoftirqd.
TEST(ProgramOf, KnowsNoThreadOfTheKernel) {
  EXPECT_FALSE(
      program_of("22 (ksoftirqd/1) S 2 0 0 0 -1 69238848 0 0 0 0 0 800 0 0 20 0 1 0 5 0 0", 100)
          .has_value());
}

Program program(pid_t process, std::uint64_t started, double ran) {
  return {.process = process, .name = "p", .started = started, .ran = Seconds(ran)};
}

bool nobody(pid_t) {
  return false;
}

// What counts is what ran between the looks, of those that were not there before all of it.
TEST(Busiest, IsWhoRanMostBetweenTwoListings) {
  const std::vector<Program> before{program(1, 5, 100), program(2, 6, 1), program(3, 7, 50)};
  const std::vector<Program> after{program(1, 5, 100.1), program(2, 6, 1.5), program(3, 9, 0.4)};
  const auto most = busiest(before, after, nobody);
  ASSERT_TRUE(most.has_value());
  EXPECT_EQ(most->process, 2);
  EXPECT_NEAR(most->ran.count(), 0.5, 1e-9);
  const auto other = busiest(before, after, [](pid_t process) { return process == 2; });
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->process, 3) << "its number was another's";
  EXPECT_NEAR(other->ran.count(), 0.4, 1e-9);
  EXPECT_FALSE(busiest(before, before, nobody).has_value());
}

// A sandbox sees the processes outside of it, and those of its own with the numbers that they have
// outside.
int check_listing(const testing::Burner& outside) {
  const testing::Burner inside;
  const SteadyClock clock;
  const Deadline deadline(clock, std::chrono::seconds(40));
  bool seen_outside = false;
  bool seen_inside = false;
  const std::vector<Program> before = machine_programs();
  while (!(seen_outside && seen_inside) && !deadline.passed()) {
    for (const Program& one : machine_programs()) {
      if (one.ran <= Seconds(0)) continue;
      const bool ours = is_ours(one.process);
      seen_outside =
          seen_outside || (one.name == outside.name() && one.process == outside.process() && !ours);
      seen_inside = seen_inside || (one.name == inside.name() && ours);
    }
  }
  if (before.empty() || !seen_outside) return 1;
  return seen_inside ? 0 : 2;
}

TEST(MachinePrograms, AreSeenFromInsideASandbox) {
  SKIP_WITHOUT_SANDBOX();
  const testing::Burner burner;
  EXPECT_EQ(testing::in_sandbox([&] { return check_listing(burner); }), 0);
}

TEST(MachinePrograms, AreNoneOutsideOfSandboxes) {
  EXPECT_TRUE(machine_programs().empty());
}

}  // namespace
}  // namespace gradwire::testbed
