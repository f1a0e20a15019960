#include "results/record/run_folder.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"

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
