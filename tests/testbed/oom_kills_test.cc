#include "testbed/oom_kills.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "testbed/scratch_folder.h"

namespace gradwire::testbed {
namespace {

/// A tree of /proc and /sys that a machine could have.
class OomKills : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  ScratchFolder folder_{"gw-oom"};
};

TEST_F(OomKills, AreThoseOfTheGroup) {
  write("proc/vmstat", "nr_free_pages 1000\noom_kill 7\n");
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.events", "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\n");
  EXPECT_EQ(oom_kills(folder_.path()), 2u);
}

TEST_F(OomKills, AreThoseOfVersionOnesGroup) {
  write("proc/self/cgroup", "4:memory:/box\n1:cpu:/\n0::/\n");
  write("sys/fs/cgroup/memory/box/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
  EXPECT_EQ(oom_kills(folder_.path()), 4u);
}

TEST_F(OomKills, AreTheMachinesWhereNoGroupTells) {
  EXPECT_EQ(oom_kills(folder_.path()), std::nullopt);
  write("proc/vmstat", "nr_free_pages 1000\noom_kill 7\n");
  EXPECT_EQ(oom_kills(folder_.path()), 7u);
}

// Only SIGKILL, and only when the count has gone up since.
TEST(ReasonOfKill, IsMemoryOnlyWhenTheKernelSaysSo) {
  const auto now = oom_kills();
  if (!now) GTEST_SKIP() << "this kernel does not count such kills";
  EXPECT_EQ(reason_of_kill({.signal = SIGKILL}, *now + 1000), "");
  EXPECT_EQ(reason_of_kill({.signal = SIGTERM}, 0), "");
  EXPECT_EQ(reason_of_kill({.signal = SIGKILL}, std::nullopt), "");
  EXPECT_EQ(reason_of_kill({.exit_code = 1}, 0), "");
}

}  // namespace
}  // namespace gradwire::testbed
