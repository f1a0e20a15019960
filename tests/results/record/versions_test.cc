// What is said of files that a newer program wrote: nothing of theirs is taken, the rest is read.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/run/resumption.h"
#include "results/record/file_names.h"
#include "results/record/stored_run.h"
#include "results/report/page/timeline_data.h"
#include "tests/results/record/resealed.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr const char* kNewer = ": is of version 2; this gradwire reads version 1";

/// A folder with two points, each with a sample and a timeline.
class VersionsTest : public ::testing::Test {
 protected:
  VersionsTest() {
    RunFolder folder = create_folder(path_);
    for (std::size_t point = 0; point < 2; ++point) {
      folder.begin(point_record(point));
      folder.append(sample(point_record(point), 1, 20));
      folder.keep(
          {.key = point_record(point).key, .ranks = {{.end = std::chrono::microseconds(20)}}});
    }
  }

  /// Makes the last line of a file one of a later version, with a field of tomorrow.
  void renew_last_line(const char* name, int version = 2) const {
    std::vector<std::string> lines;
    std::ifstream file(path_ / name);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    json newer = json::parse(lines.back());
    newer.erase("crc32");
    newer["version"] = version;
    newer["tomorrow"] = true;
    lines.back() = resealed(newer);
    std::ofstream renewed(path_ / name, std::ios::trunc);
    for (const std::string& line : lines) renewed << line << "\n";
  }

  [[nodiscard]] std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const StoreProblem& problem : read_run(path_).problems) all.push_back(problem.message());
    return all;
  }

  [[nodiscard]] std::string said_of(const std::string& name) const {
    return (path_ / name).string() + kNewer;
  }

  const ScratchFolder scratch_;
  const fs::path path_ = scratch_ / "run";
};

TEST_F(VersionsTest, ANewerSampleIsLeftOut) {
  renew_last_line(kSamplesFile);
  EXPECT_THAT(problems(), ElementsAre(said_of("samples.ndjson:2")));
  EXPECT_THAT(read_run(path_).points, SizeIs(1));
}

// Its sample is then one of no known point.
TEST_F(VersionsTest, ANewerPointIsLeftOut) {
  renew_last_line(kPointsFile);
  EXPECT_THAT(problems(), ElementsAre(said_of("points.ndjson:2"), ::testing::_));
  EXPECT_THAT(read_run(path_).points, SizeIs(1));
}

TEST_F(VersionsTest, ANewerTimelineIsLeftOut) {
  renew_last_line(kTimelinesFile, 3);
  const report::StoredTimelines timelines = report::read_timelines(read_run(path_));
  ASSERT_THAT(timelines.problems, SizeIs(1));
  EXPECT_EQ(
      timelines.problems[0].message(),
      (path_ / kTimelinesFile).string() + ":2: is of version 3; this gradwire reads version 2");
  EXPECT_THAT(timelines.by_key, SizeIs(1));
}

TEST_F(VersionsTest, OfANewerCalibrationOrNewerHostsNothingIsKnown) {
  for (const char* name : {kCalibrationFile, kHostsFile}) {
    std::ofstream(path_ / name) << R"({"version": 2, "links": "all is different"})";
    EXPECT_THAT(problems(), ElementsAre(said_of(name)));
    fs::remove(path_ / name);
  }
}

// Whoever went on with it would measure something else under the same name.
TEST_F(VersionsTest, ARunWithANewerContextIsNotGoneOnWith) {
  std::ofstream(path_ / kContextFile, std::ios::trunc) << R"({"version": 2})";
  EXPECT_THAT(problems(), ElementsAre(said_of(kContextFile)));
  try {
    static_cast<void>(run::resume_experiment(read_run(path_), {}));
    FAIL() << "nothing says what the run measured";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              (path_ / kContextFile).string() + ": does not say what was measured");
  }
}

// A line or file with fields that this program does not know is one of its own version.
TEST_F(VersionsTest, FieldsOfTomorrowAreSkipped) {
  json context = json::parse(std::ifstream(path_ / kContextFile));
  context["tomorrow"] = true;
  std::ofstream(path_ / kContextFile, std::ios::trunc) << context.dump();
  EXPECT_TRUE(problems().empty());
}

}  // namespace
}  // namespace gradwire::record
