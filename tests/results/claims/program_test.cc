#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "results/claims/read_runs.h"

namespace gradwire::claims {
namespace {

namespace fs = std::filesystem;

/// A run of quickstart's rows in virtual time, in a folder of its own.
class Folder {
 public:
  Folder() {
    fs::remove_all(path_);
    fs::create_directories(path_);
    const std::string run = std::string(GRADWIRE_PROGRAM) +
                            " run " GRADWIRE_ROOT
                            "/experiments/quickstart.yaml --backing simulated --out " +
                            (path_ / "quickstart").string() + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0);
  }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_ = fs::temp_directory_path() / ("gradwire-claims-" + std::to_string(getpid()));
};

TEST(Program, JudgesThePartOfTheRunsThatIsThere) {
  const Folder folder;
  const std::string command =
      std::string(GRADWIRE_REPRODUCE) + " --json --from " + folder.path().string();
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0);
  const nlohmann::json document = nlohmann::json::parse(text);
  EXPECT_EQ(document["claims"].size(), 58u);
  EXPECT_EQ(document["claims"][4]["simulated"], "0.8889 T_F (+0.0 %)");
  EXPECT_EQ(document["claims"][4]["measured"], "not run");
  EXPECT_TRUE(document["problems"].empty());
}

TEST(Program, WhatIsNoRunIsAProblemAndNoMore) {
  const Folder folder;
  fs::create_directories(folder.path() / "nothing");
  fs::rename(folder.path() / "quickstart", folder.path() / "figure5");
  const FoundRuns found = read_runs(folder.path());
  EXPECT_EQ(found.runs.all().size(), 1u);
  ASSERT_EQ(found.problems.size(), 2u);
  EXPECT_NE(found.problems[0].find("holds a run of quickstart"), std::string::npos);
  EXPECT_EQ(read_runs(folder.path() / "no-such").problems.size(), 1u);
}

}  // namespace
}  // namespace gradwire::claims
