#include "core/text/partial.h"

#include <csignal>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text/file.h"

namespace gradwire::text {
namespace {

namespace fs = std::filesystem;

class PartialTest : public ::testing::Test {
 protected:
  PartialTest() { fs::create_directories(folder_); }
  ~PartialTest() override { fs::remove_all(folder_); }

  /// Lets a process make something, and kills it.
  void make_and_die(const std::string& name, Partial::Kind kind) const {
    const pid_t pid = checked(::fork(), "fork");
    if (pid == 0) {
      const Partial partial(folder_ / name, kind);
      ::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_ = fs::temp_directory_path() / ("gw-partial-" + std::to_string(::getpid()));
};

TEST_F(PartialTest, NameSaysWhatItShallBe) {
  EXPECT_EQ(name_of_partial("a.json.partial-x0y1z2"), "a.json");
  for (const char* other : {"a.json", "a.partial-", "a.partial-x0y1z", "a.partial-X0Y1Z2",
                            "a.partial-x0y1z23", ".partial-x0y1z2", "a-partial-x0y1z2"}) {
    EXPECT_EQ(name_of_partial(other), std::nullopt) << other;
  }
}

// As many descriptors are open as may be: the reason, perhaps, why it is given up.
TEST_F(PartialTest, IsRemovedWithoutADescriptorToSpare) {
  rlimit before{};
  checked(::getrlimit(RLIMIT_NOFILE, &before), "getrlimit");
  auto partial = std::make_unique<Partial>(folder_ / "a", Partial::Kind::folder);
  for (const auto& entry : fs::directory_iterator(folder_))
    std::ofstream(entry.path() / "file") << "x";
  const rlimit none_left{.rlim_cur = static_cast<rlim_t>(partial->fd()) + 1,
                         .rlim_max = before.rlim_max};
  checked(::setrlimit(RLIMIT_NOFILE, &none_left), "setrlimit");
  partial.reset();
  checked(::setrlimit(RLIMIT_NOFILE, &before), "setrlimit");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(PartialTest, IsRemovedUnlessItGetsItsName) {
  for (const auto kind : {Partial::Kind::file, Partial::Kind::folder}) {
    {
      const Partial dropped(folder_ / "dropped", kind);
      EXPECT_EQ(entries(), 1u);
    }
    EXPECT_EQ(entries(), 0u);
    Partial kept(folder_ / "kept", kind);
    kept.rename_to(folder_ / "kept");
    EXPECT_TRUE(fs::exists(folder_ / "kept"));
    EXPECT_EQ(fs::status(folder_ / "kept").permissions() & fs::perms::sticky_bit, fs::perms::none);
    fs::remove(folder_ / "kept");
  }
}

TEST_F(PartialTest, OfADeadProcessIsSwept) {
  make_and_die("file", Partial::Kind::file);
  make_and_die("folder", Partial::Kind::folder);
  const Partial held(folder_ / "held", Partial::Kind::folder);
  EXPECT_EQ(entries(), 3u);
  sweep_partials(folder_, [](const fs::path& path) { return fs::is_directory(path); });
  EXPECT_EQ(entries(), 2u) << "the file is not asked for, and one folder is in use";
  sweep_partials(folder_, [](const fs::path&) { return true; });
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(fs::exists(held.path()));
}

// Whoever writes a file next removes what a killed writer of the same file has left, and no other.
TEST_F(PartialTest, GoesWithTheNextFileOfItsName) {
  make_and_die("a.json", Partial::Kind::file);
  make_and_die("b.json", Partial::Kind::file);
  write_file_atomically(folder_ / "a.json", "whole");
  EXPECT_TRUE(fs::exists(folder_ / "a.json"));
  EXPECT_EQ(entries(), 2u);
}

// "backup" has six letters, too.
TEST_F(PartialTest, AUsersOwnOfSuchANameStays) {
  std::ofstream(folder_ / "a.json.partial-backup") << "months of work";
  fs::create_directory(folder_ / "run.partial-backup");
  write_file_atomically(folder_ / "a.json", "whole");
  EXPECT_TRUE(fs::exists(folder_ / "a.json.partial-backup"));
  sweep_partials(folder_, [](const fs::path&) { return true; });
  EXPECT_TRUE(fs::exists(folder_ / "a.json.partial-backup"));
  EXPECT_TRUE(fs::exists(folder_ / "run.partial-backup"));
}

// Another user can link any file that he may read into a folder that all may write.
TEST_F(PartialTest, AFileWithMoreNamesStays) {
  make_and_die("a.json", Partial::Kind::file);
  const fs::path left = fs::directory_iterator(folder_)->path();
  fs::create_hard_link(left, folder_ / "other");
  sweep_partials(folder_, [](const fs::path&) { return true; });
  EXPECT_TRUE(fs::exists(left));
}

}  // namespace
}  // namespace gradwire::text
