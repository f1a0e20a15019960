#include "results/record/run_folder.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() { fs::create_directories(scratch_); }
  ~RunFolderTest() override { fs::remove_all(scratch_); }

  [[nodiscard]] RunFolder create(const fs::path& out) const {
    return RunFolder::create({.out = out, .name = "x", .experiment = "gradwire: 1\n"},
                             {{"version", 1}});
  }

  const fs::path scratch_ =
      fs::temp_directory_path() / ("gradwire_run_folder_test_" + std::to_string(::getpid()));
};

TEST_F(RunFolderTest, KeepsExperimentContextAndSamples) {
  RunFolder folder = create(scratch_ / "run");
  const Sample sample{.configuration = {.ranks = 1, .ports_per_host = 1},
                      .ranks = {{.end = std::chrono::microseconds(5)}}};
  folder.append(sample);
  folder.append(sample);
  EXPECT_TRUE(fs::exists(scratch_ / "run/experiment.yaml"));
  EXPECT_TRUE(fs::exists(scratch_ / "run/context.json"));
  std::ifstream lines(scratch_ / "run/samples.ndjson");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
  EXPECT_EQ(count, 2u);
}

TEST_F(RunFolderTest, NeverWritesIntoAFolderThatHasSomething) {
  fs::create_directories(scratch_ / "full");
  std::ofstream(scratch_ / "full/precious") << "data";
  EXPECT_THROW(static_cast<void>(create(scratch_ / "full")), InputError);
  EXPECT_TRUE(fs::exists(scratch_ / "full/precious"));
}

// What a killed process has left goes with the next run beside it; what may be a user's own stays.
TEST_F(RunFolderTest, SweepsUnfinishedFoldersOfDeadProcesses) {
  for (const char* name : {"dead.partial-aaaaaa", "empty.partial-bbbbbb", "mine.partial-cccccc",
                           "measured.partial-dddddd", "named.partial"}) {
    fs::create_directories(scratch_ / name);
    mark_unfinished(scratch_ / name);
  }
  fs::create_directories(scratch_ / "own.partial-backup");
  for (const char* file : {"dead.partial-aaaaaa/samples.ndjson", "dead.partial-aaaaaa/context.json",
                           "dead.partial-aaaaaa/context.json.partial-x0y1z2",
                           "mine.partial-cccccc/letter.txt", "own.partial-backup/context.json"}) {
    std::ofstream(scratch_ / file).flush();
  }
  std::ofstream(scratch_ / "measured.partial-dddddd/samples.ndjson") << "a line\n";
  static_cast<void>(create(scratch_ / "run"));
  EXPECT_FALSE(fs::exists(scratch_ / "dead.partial-aaaaaa"));
  EXPECT_FALSE(fs::exists(scratch_ / "empty.partial-bbbbbb"));
  for (const char* kept :
       {"mine.partial-cccccc/letter.txt", "named.partial", "run",
        "measured.partial-dddddd/samples.ndjson", "own.partial-backup/context.json"}) {
    EXPECT_TRUE(fs::exists(scratch_ / kept)) << kept;
  }
}

TEST_F(RunFolderTest, ResumingSweepsUnfinishedFiles) {
  static_cast<void>(create(scratch_ / "run"));
  const fs::path left = scratch_ / "run/calibration.json.partial-x0y1z2";
  const fs::path own = scratch_ / "run/results.json.partial-backup";
  std::ofstream(left) << "half";
  std::ofstream(own) << "whole";
  mark_unfinished(left);
  static_cast<void>(RunFolder::resume(scratch_ / "run"));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(own));
}

TEST_F(RunFolderTest, NamesAPathThatCannotBeWritten) {
  try {
    static_cast<void>(create("/proc/nowhere/run"));
    FAIL() << "/proc cannot be written";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/nowhere"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gradwire::record
