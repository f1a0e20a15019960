#include "testbed/memory_kills.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "testbed/scratch_folder.h"

namespace gradwire::testbed {
namespace {

const Ending kKilled{.signal = SIGKILL};
constexpr const char* kPlain = "was killed by signal 9 (Killed)";

/// A tree of /proc and /sys that a machine could have.
class MemoryKillsTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  ScratchFolder folder_{"gw-kills"};
};

TEST_F(MemoryKillsTest, AreCountedInTheCgroup) {
  write("proc/self/cgroup", "0::/job/run\n");
  write("proc/vmstat", "oom_kill 7\n");
  write("sys/fs/cgroup/job/run/memory.max", "max\n");
  write("sys/fs/cgroup/job/memory.max", "4294967296\n");
  write("sys/fs/cgroup/job/run/memory.events", "low 0\noom 2\noom_kill 2\noom_group_kill 0\n");
  const MemoryKills kills(folder_.path());
  write("proc/vmstat", "oom_kill 8\n");  // another group's
  EXPECT_EQ(kills.explain(kKilled), kPlain);
  write("sys/fs/cgroup/job/run/memory.events", "low 0\noom 3\noom_kill 3\noom_group_kill 0\n");
  EXPECT_EQ(kills.explain(kKilled),
            std::string(kPlain) + ": the kernel ran out of memory: limit 4 GiB");
  EXPECT_EQ(kills.explain({.signal = SIGSEGV}), "was killed by signal 11 (Segmentation fault)");
  EXPECT_EQ(kills.explain({.exit_code = 3}), "exited with 3");
}

TEST_F(MemoryKillsTest, AreCountedInCgroupsOfVersionOne) {
  write("proc/self/cgroup", "4:memory:/box\n0::/\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/box/memory.oom_control", "oom_kill_disable 0\noom_kill 0\n");
  const MemoryKills kills(folder_.path());
  EXPECT_EQ(kills.explain(kKilled), kPlain);
  write("sys/fs/cgroup/memory/box/memory.oom_control", "oom_kill_disable 0\noom_kill 1\n");
  EXPECT_EQ(kills.explain(kKilled), std::string(kPlain) + ": the kernel ran out of memory");
}

TEST_F(MemoryKillsTest, OfTheMachineCountWithoutACgroup) {
  write("proc/self/cgroup", "0::/\n");
  write("proc/vmstat", "pgfault 100\noom_kill 0\n");
  const MemoryKills kills(folder_.path());
  EXPECT_EQ(kills.explain(kKilled), kPlain);
  write("proc/vmstat", "pgfault 100\noom_kill 2\n");
  EXPECT_EQ(kills.explain(kKilled), std::string(kPlain) + ": the kernel ran out of memory");
}

}  // namespace
}  // namespace gradwire::testbed
