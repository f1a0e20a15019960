// Which files and folders a run folder has synced. This program's fsync is the one below.
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/text/partial.h"
#include "results/record/run_folder.h"
#include "tests/results/record/parts.h"
#include "tests/results/record/stored_points.h"

namespace {

std::set<std::string>& synced() {
  static std::set<std::string> paths;
  return paths;
}

}  // namespace

extern "C" int fsync(int fd) {
  synced().insert(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)));
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;

// A name is on the disk when the folder that has it was synced.
TEST(Sync, OfEveryFolderOnTheWayToARun) {
  const ScratchFolder scratch;
  const fs::path all = fs::canonical(scratch / ".");
  synced().clear();
  static_cast<void>(create_folder(all / "results" / "runs" / "one"));
  EXPECT_THAT(synced(), Contains(all.string()));
  EXPECT_THAT(synced(), Contains((all / "results").string()));
  EXPECT_THAT(synced(), Contains((all / "results" / "runs").string()));
}

TEST(Sync, OfAFileThatResumingCreates) {
  const ScratchFolder scratch;
  const fs::path run = fs::canonical(scratch / ".") / "run";
  static_cast<void>(create_folder(run));
  fs::remove(run / "samples.ndjson");
  synced().clear();
  static_cast<void>(RunFolder::resume(run));
  EXPECT_THAT(synced(), Contains(run.string()));
}

using SyncOfMerging = Sweep;

// Files have their last names when they are synced, or names of their own beside them.
TEST_F(SyncOfMerging, OfEveryFileAndBothFolders) {
  const std::vector<fs::path> parts{part(1), part(2)};
  synced().clear();
  merge(parts);
  std::set<std::string> names;
  for (const std::string& path : synced()) {
    const std::string name = fs::path(path).filename();
    names.emplace(text::name_of_partial(name).value_or(name));
  }
  for (const auto& entry : fs::directory_iterator(to_)) {
    EXPECT_THAT(names, Contains(entry.path().filename().string()));
  }
  EXPECT_THAT(names, Contains("merged"));
  EXPECT_THAT(synced(), Contains(fs::canonical(to_).parent_path().string()));
}

}  // namespace
}  // namespace gradwire::record
