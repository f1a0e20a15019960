// This project's own runs, which are in the tree: whole, small, and no more than evidence.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/evidence.h"
#include "results/record/file_names.h"
#include "results/record/stored_run.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

const fs::path kPublished = fs::path(GRADWIRE_ROOT) / "results/published";
constexpr std::uintmax_t kMostBytes = 17'000'000;

std::vector<StoredRun> published() {
  const std::vector<std::string> paths{kPublished.string()};
  return read_runs(folders_of(paths));
}

TEST(Published, EveryRunIsReadWithoutProblems) {
  const std::vector<StoredRun> runs = published();
  EXPECT_GE(runs.size(), 29u);
  for (const StoredRun& run : runs) {
    EXPECT_EQ(run.status, RunStatus::complete) << run.folder;
    EXPECT_EQ(run.points.size(), run.planned) << run.folder;
    for (const StoreProblem& problem : run.problems) ADD_FAILURE() << problem.message();
  }
}

TEST(Published, IsNoMoreThanEvidence) {
  for (const StoredRun& run : published()) {
    EXPECT_FALSE(fs::exists(run.folder / kResultsFile)) << run.folder;
    std::map<std::string, Backing> backings;
    for (const StoredPoint& point : run.points) {
      backings[point.record.key] = point.record.configuration.backing;
    }
    std::ifstream lines(run.folder / kTimelinesFile);
    for (std::string line; std::getline(lines, line);) {
      const std::string key = nlohmann::json::parse(line).at("key");
      EXPECT_NE(backings.at(key), Backing::simulated) << run.folder << ": " << key;
    }
  }
}

TEST(Published, IsSmall) {
  EXPECT_LE(bytes_in(kPublished), kMostBytes) << "gradwire results evidence leaves out the most";
}

}  // namespace
}  // namespace gradwire::record
