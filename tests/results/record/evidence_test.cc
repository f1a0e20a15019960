#include "results/record/evidence.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/record/file_names.h"
#include "results/record/stored_run.h"
#include "results/record/timeline.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string evidence_in(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Point 0 emulated, point 1 simulated, each with a timeline.
void write_run_with_evidence(const fs::path& path, bool measures) {
  RunFolder folder = create_folder(path);
  for (std::size_t point = 0; point < 2; ++point) {
    PointRecord begun = point_record(point);
    if (point == 1 || !measures) begun.configuration.backing = Backing::simulated;
    folder.begin(begun);
    folder.append(sample(begun, 1, 20));
    folder.keep({.key = begun.key, .ranks = {{.end = std::chrono::microseconds(20)}}});
  }
  folder.write_results({{"rows", nlohmann::json::array()}});
  std::ofstream(path / "trace.json") << "what a user put beside";
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

class EvidenceTest : public ::testing::Test {
 protected:
  void write(bool measures = true) { write_run_with_evidence(from_, measures); }

  const ScratchFolder scratch_;
  const fs::path from_ = scratch_ / "run";
  const fs::path to_ = scratch_ / "evidence";
};

TEST_F(EvidenceTest, IsWhatCannotBeMadeAgain) {
  write();
  copy_evidence(from_, to_);
  EXPECT_THAT(names_in(to_), UnorderedElementsAre(kExperimentFile, kContextFile, kPointsFile,
                                                  kSamplesFile, kTimelinesFile));
  for (const char* kept : {kExperimentFile, kContextFile, kPointsFile, kSamplesFile}) {
    EXPECT_EQ(evidence_in(to_ / kept), evidence_in(from_ / kept)) << kept;
  }
  const std::string timelines = evidence_in(from_ / kTimelinesFile);
  EXPECT_EQ(evidence_in(to_ / kTimelinesFile), timelines.substr(0, timelines.find('\n') + 1))
      << "the first line is of the emulated point, and its form is the newest already";
}

TEST_F(EvidenceTest, OfSimulationsAloneHasNoTimelines) {
  write(false);
  copy_evidence(from_, to_);
  EXPECT_FALSE(fs::exists(to_ / kTimelinesFile));
}

// 300 spans a rank: six ranks are kept when they are measured, and one is evidence.
TEST_F(EvidenceTest, HasFewerRanks) {
  {
    RunFolder folder = create_folder(from_);
    const PointRecord begun = point_record(0);
    folder.begin(begun);
    folder.append(sample(begun, 1, 20));
    RankIteration rank{.end = std::chrono::microseconds(20)};
    rank.transfers.resize(299);
    folder.keep({.key = begun.key, .ranks = first_ranks({9, rank})});
  }
  copy_evidence(from_, to_);
  const auto kept = [](const fs::path& run) {
    const std::string lines = evidence_in(run / kTimelinesFile);
    return timeline_of_line(lines.substr(0, lines.find('\n'))).ranks.size();
  };
  EXPECT_EQ(kept(from_), 6u);
  EXPECT_EQ(kept(to_), 1u);
}

// What was left out is no damage, and the run can be gone on with.
TEST_F(EvidenceTest, IsARunFolder) {
  write(false);
  copy_evidence(from_, to_);
  const StoredRun run = read_run(to_);
  EXPECT_TRUE(run.problems.empty());
  EXPECT_EQ(run.points.size(), 2u);
  EXPECT_EQ(run.points.at(1).gst, read_run(from_).points.at(1).gst);
  RunFolder again = RunFolder::resume(to_);
  again.begin_attempt(1);
  again.begin(point_record(0, 1));
  EXPECT_TRUE(fs::exists(to_ / kTimelinesFile)) << "what is measured next has a file to go to";
}

TEST_F(EvidenceTest, IsNotTakenOfADamagedRun) {
  write();
  std::ofstream(from_ / kTimelinesFile, std::ios::app) << "half a li";
  try {
    copy_evidence(from_, to_);
    FAIL() << "a timeline cannot be read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("timelines.ndjson:3: ends in the middle of the line"));
  }
  EXPECT_THAT(names_in(to_.parent_path()), UnorderedElementsAre("run")) << "nothing is left behind";
}

TEST_F(EvidenceTest, ReplacesNothing) {
  write();
  fs::create_directories(to_);
  EXPECT_THROW(copy_evidence(from_, to_), InputError);
  EXPECT_THROW(copy_evidence(scratch_ / "absent", scratch_ / "new"), InputError);
}

TEST_F(EvidenceTest, IsNotTakenOfARunThatIsBeingWritten) {
  write();
  const RunFolder writer = RunFolder::resume(from_);
  EXPECT_THROW(copy_evidence(from_, to_), InputError);
}

TEST_F(EvidenceTest, BytesAreThoseOfAllFiles) {
  fs::create_directories(to_ / "inner");
  std::ofstream(to_ / "a") << "123";
  std::ofstream(to_ / "inner" / "b") << "4567";
  EXPECT_EQ(bytes_in(to_), 7u);
  EXPECT_THROW(static_cast<void>(bytes_in(scratch_ / "absent")), SystemError);
}

}  // namespace
}  // namespace gradwire::record
