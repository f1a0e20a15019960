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

TEST(ScratchFolder, NeedsTheFolderForTemporaryFiles) {
  const char* const before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  EXPECT_THROW(ScratchFolder("gw-test"), SystemError);
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", restored.c_str(), 1);
  }
}

}  // namespace
}  // namespace gradwire::testbed
