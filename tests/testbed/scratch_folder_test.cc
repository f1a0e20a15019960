#include "testbed/scratch_folder.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// Makes a folder in another process, which stays with it until it is killed.
class Owner {
 public:
  Owner() {
    int ends[2] = {-1, -1};
    checked(::pipe(ends), "pipe");
    pid_ = checked(::fork(), "fork");
    if (pid_ == 0) {
      const ScratchFolder folder("gw-test");
      std::ofstream(folder.path() / "file") << "left";
      const std::string path = folder.path();
      if (::write(ends[1], path.data(), path.size()) < 0) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char path[4096] = {};
    EXPECT_GT(::read(ends[0], path, sizeof path - 1), 0);
    ::close(ends[0]);
    path_ = path;
  }
  ~Owner() { kill(); }

  void kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  pid_t pid_ = -1;
  fs::path path_;
};

TEST(ScratchFolder, GoesWithItsObject) {
  std::optional<ScratchFolder> folder(std::in_place, "gw-test");
  const fs::path path = folder->path();
  std::ofstream(path / "file") << "some";
  EXPECT_TRUE(fs::exists(path / "file"));
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, OfAKilledProcessGoesWithTheNext) {
  Owner owner;
  ASSERT_TRUE(fs::exists(owner.path() / "file"));
  {
    const ScratchFolder next("gw-test");
    EXPECT_TRUE(fs::exists(owner.path() / "file")) << "it is in use";
  }
  owner.kill();
  const ScratchFolder next("gw-other");
  EXPECT_FALSE(fs::exists(owner.path()));
  EXPECT_TRUE(fs::exists(next.path()));
}

TEST(ScratchFolder, LeavesWhatIsNoneAlone) {
  const fs::path other = fs::temp_directory_path() / ("gw-test-" + std::to_string(::getpid()));
  fs::create_directory(other);
  const ScratchFolder next("gw-test");
  EXPECT_TRUE(fs::exists(other));
  fs::remove(other);
}

/// Sets TMPDIR while it lives.
class TemporaryFilesIn {
 public:
  explicit TemporaryFilesIn(const fs::path& folder) {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFilesIn() {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }
  TemporaryFilesIn(const TemporaryFilesIn&) = delete;
  TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST(ScratchFolder, NeedsTheFolderForTemporaryFiles) {
  const TemporaryFilesIn nowhere("/nowhere/at/all");
  EXPECT_THROW(ScratchFolder("gw-test"), SystemError);
}

/// A folder for temporary files with one folder that looks like an abandoned scratch folder.
class Lookalike : public ::testing::Test {
 protected:
  /// Makes the folder, with a mark and a file.
  void make(const std::string& name, mode_t mode) {
    folder_ = all_.path() / name;
    checked(::mkdir(folder_.c_str(), 0700), "mkdir");
    std::ofstream(folder_ / "file") << "somebody's";
    std::ofstream(mark()).flush();
    checked(::chmod(folder_.c_str(), mode), "chmod");
  }
  [[nodiscard]] fs::path mark() const { return folder_ / "gradwire-scratch"; }
  /// Whether it is still there when another scratch folder has been made.
  [[nodiscard]] bool stays() const {
    const TemporaryFilesIn here(all_.path());
    const ScratchFolder next("gw-test");
    return fs::exists(folder_ / "file");
  }

  const ScratchFolder all_{"gw-test"};
  fs::path folder_;
};

TEST_F(Lookalike, GoesWhenNothingTellsItFromOurs) {
  make("gw-test-x0y1z2", 0700);
  EXPECT_FALSE(stays());
}

// As /tmp/.X11-unix: anybody can put a mark there.
TEST_F(Lookalike, StaysWhenOthersCanWriteIt) {
  make("gw-test-x0y1z2", 01777);
  EXPECT_TRUE(stays());
}

TEST_F(Lookalike, StaysWhenItsNameIsNotOurs) {
  for (const char* name : {".X11-unix", "gwx0y1z2", "gw-x0y1z", "gw-X0Y1Z2", "other-x0y1z2"}) {
    make(name, 0700);
    EXPECT_TRUE(stays()) << name;
  }
}

TEST_F(Lookalike, StaysWhenItsMarkHasAnotherName) {
  make("gw-x0y1z2", 0700);
  fs::create_hard_link(mark(), all_.path() / "mark");
  EXPECT_TRUE(stays());
}

TEST_F(Lookalike, StaysWhenItsMarkIsNoFile) {
  make("gw-x0y1z2", 0700);
  fs::remove(mark());
  checked(::mkfifo(mark().c_str(), 0600), "mkfifo");
  EXPECT_TRUE(stays());
}

TEST_F(Lookalike, StaysWhenAnotherUserMadeItsMark) {
  make("gw-x0y1z2", 0700);
  if (::chown(mark().c_str(), ::geteuid() + 1, static_cast<gid_t>(-1)) != 0) {
    GTEST_SKIP() << "this user cannot give files away";
  }
  EXPECT_TRUE(stays());
}

TEST_F(Lookalike, StaysWhenItIsALink) {
  make("elsewhere", 0700);
  fs::create_directory_symlink(folder_, all_.path() / "gw-x0y1z2");
  EXPECT_TRUE(stays());
}

// What a link in a scratch folder leads to is not part of it.
TEST_F(Lookalike, GoesWithoutWhatItsLinksLeadTo) {
  make("gw-x0y1z2", 0700);
  fs::create_directory(all_.path() / "kept");
  std::ofstream(all_.path() / "kept/file").flush();
  fs::create_directories(folder_ / "inner");
  fs::create_directory_symlink(all_.path() / "kept", folder_ / "inner/link");
  EXPECT_FALSE(stays());
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_TRUE(fs::exists(all_.path() / "kept/file"));
}

}  // namespace
}  // namespace gradwire::testbed
