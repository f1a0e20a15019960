#include "testbed/machine_room.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "testbed/scratch_folder.h"

namespace gradwire::testbed {
namespace {

/// A tree of /proc and /sys that a machine could have.
class MachineRoomTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  ScratchFolder folder_{"gw-room"};
};

// min(MemAvailable, limit - used) with 1000 kB available and 500,000 - 100,000 bytes in the group.
TEST_F(MachineRoomTest, IsWhatTheCgroupLeaves) {
  write("proc/meminfo", "MemTotal:  2000 kB\nMemAvailable:    1000 kB\n");
  write("proc/self/cgroup", "0::/job/run\n");
  write("sys/fs/cgroup/job/run/memory.max", "500000\n");
  write("sys/fs/cgroup/job/run/memory.current", "100000\n");
  write("sys/fs/cgroup/job/run/pids.max", "max\n");
  write("sys/fs/cgroup/job/run/pids.current", "3\n");
  write("sys/fs/cgroup/job/pids.max", "50\n");
  write("sys/fs/cgroup/job/pids.current", "20\n");
  const MachineRoom room = machine_room(folder_.path());
  EXPECT_EQ(room.memory_bytes, 400000);
  EXPECT_EQ(room.tasks, 30);
}

TEST_F(MachineRoomTest, KnowsCgroupsOfVersionOne) {
  write("proc/meminfo", "MemAvailable:    1000 kB\n");
  write("proc/self/cgroup", "8:pids:/\n4:memory:/box\n1:cpu:/\n0::/\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "100\n");
  write("sys/fs/cgroup/pids/pids.max", "40\n");
  write("sys/fs/cgroup/pids/pids.current", "10\n");
  const MachineRoom room = machine_room(folder_.path());
  EXPECT_EQ(room.memory_bytes, 1000 * 1024);
  EXPECT_EQ(room.tasks, 30);
}

TEST_F(MachineRoomTest, WhatIsFullLeavesNothing) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "100\n");
  write("sys/fs/cgroup/memory.current", "120\n");
  EXPECT_EQ(machine_room(folder_.path()).memory_bytes, 0);
}

TEST_F(MachineRoomTest, WhatIsNotToldLimitsNothing) {
  const MachineRoom room = machine_room(folder_.path());
  EXPECT_TRUE(std::isinf(room.memory_bytes));
  EXPECT_TRUE(std::isinf(room.tasks));
}

TEST(MachineRoom, OfThisMachineIsSome) {
  EXPECT_GT(machine_room().memory_bytes, 0);
  EXPECT_GT(machine_room().tasks, 0);
}

}  // namespace
}  // namespace gradwire::testbed
