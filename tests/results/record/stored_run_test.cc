#include "results/record/stored_run.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/text/schemas.h"
#include "harness/run/resumption.h"
#include "results/record/file_names.h"
#include "results/record/flags.h"
#include "results/record/sealed_line.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::trunc) << content;
}

/// Two whole points: the ring with 20, 21, 22 us, BML with 10, 11, 12 us.
void write_run(const fs::path& path) {
  RunFolder folder = create_folder(path);
  for (std::size_t point = 0; point < 2; ++point) folder.begin(point_record(point));
  for (std::size_t i = 0; i < 4; ++i) {
    folder.append(sample(point_record(0), i, 19 + static_cast<int>(i)));
    folder.append(sample(point_record(1), i, 9 + static_cast<int>(i)));
  }
}

class StoredRunTest : public ::testing::Test {
 protected:
  StoredRunTest() { write_run(path_); }

  [[nodiscard]] std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const StoreProblem& problem : read_run(path_).problems) all.push_back(problem.message());
    return all;
  }

  const ScratchFolder scratch_;
  const fs::path path_ = scratch_ / "run";
};

TEST_F(StoredRunTest, HasEverythingThatWasWritten) {
  const StoredRun run = read_run(path_);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_EQ(run.name, "two");
  EXPECT_EQ(run.description, "for tests");
  EXPECT_EQ(run.status, RunStatus::complete);
  ASSERT_THAT(run.points, SizeIs(2));
  const StoredPoint& bml = run.points[1];
  EXPECT_EQ(bml.record.configuration, point_record(1).configuration);
  EXPECT_EQ(bml.row.key, "key-1");
  EXPECT_NEAR(bml.row.gst.median, 11e-6, 1e-15);
  EXPECT_NEAR(bml.row.rates().efficiency.value(), 10.0 / 11, 1e-12);
  EXPECT_THAT(bml.gst, SizeIs(3)) << "the warm-up is left out";
  EXPECT_NEAR(bml.gst[2], 12e-6, 1e-15);
}

TEST_F(StoredRunTest, EveryFileFollowsItsSchema) {
  const auto lines_follow = [&](const char* name, const char* schema) {
    std::ifstream lines(path_ / name);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(text::why_invalid(json::parse(line), schema), std::nullopt) << name;
    }
  };
  lines_follow(kSamplesFile, "sample");
  lines_follow(kPointsFile, "point");
  EXPECT_EQ(text::why_invalid(json::parse(bytes_of(path_ / kContextFile)), "context"),
            std::nullopt);
  json broken = json::parse(bytes_of(path_ / kContextFile));
  broken["experiment"]["link"].erase("mtu");
  EXPECT_THAT(text::why_invalid(broken, "context").value(), HasSubstr("experiment/link"));
}

// A file cut anywhere loses its last line, and says so unless the cut is between two.
TEST_F(StoredRunTest, TruncatedAnywhereItKeepsTheWholeLines) {
  const std::string whole = bytes_of(path_ / kSamplesFile);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write(path_ / kSamplesFile, whole.substr(0, size));
    const auto lines = static_cast<std::size_t>(
        std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    const StoredRun run = read_run(path_);
    std::size_t measured = 0;
    for (const StoredPoint& point : run.points) measured += point.gst.size();
    EXPECT_EQ(measured, lines < 2 ? 0 : lines - 2) << size;  // two lines are warm-up
    const bool between = size == 0 || whole[size - 1] == '\n';
    EXPECT_THAT(run.problems, SizeIs(between ? 0 : 1)) << size;
    if (!between) {
      EXPECT_EQ(run.problems.at(0).place.line, lines + 1);
    }
  }
}

TEST_F(StoredRunTest, ADamagedLineIsNamedAndTheRestIsRead) {
  std::string text = bytes_of(path_ / kSamplesFile);
  const std::size_t fourth = text.find('\n', text.find('\n', text.find('\n') + 1) + 1) + 1;
  const std::size_t digit = text.find("\"gst_ns\":", fourth) + 9;
  text[digit] = text[digit] == '9' ? '8' : '9';  // still JSON, still a number
  write(path_ / kSamplesFile, text);
  EXPECT_THAT(problems(), ElementsAre((path_ / kSamplesFile).string() +
                                      ":4: is damaged: its checksum does not fit"));
  const StoredRun run = read_run(path_);
  EXPECT_THAT(run.points[0].gst, SizeIs(3));
  EXPECT_THAT(run.points[1].gst, SizeIs(2)) << "the fourth line is BML's first measured one";
  EXPECT_EQ(run.status, RunStatus::incomplete);
  EXPECT_THAT(row_flags(run.points[1].row), Contains(kFlagIncomplete));
}

TEST_F(StoredRunTest, ForeignFilesAreNamedAndCounted) {
  std::string foreign;
  for (int i = 0; i < 100; ++i) foreign += "size,time\n";
  write(path_ / kSamplesFile, foreign);
  write(path_ / kContextFile, "{\"version\": 7}");
  write(path_ / kCalibrationFile, "not even JSON");
  const std::vector<std::string> found = problems();
  EXPECT_THAT(found, Contains(HasSubstr("context.json: is of version 7")));
  EXPECT_THAT(found, Contains(HasSubstr("calibration.json: is not of a run")));
  EXPECT_THAT(found, Contains(HasSubstr("samples.ndjson:1: does not end with a checksum")));
  EXPECT_THAT(found, Contains(HasSubstr("samples.ndjson: and 80 lines more")));
  EXPECT_THAT(read_run(path_).points, IsEmpty());
}

// Lines twice, or of another run put behind: no sample counts more than once.
TEST_F(StoredRunTest, RepeatedLinesAreNamed) {
  const std::string text = bytes_of(path_ / kSamplesFile);
  write(path_ / kSamplesFile, text + text);
  const StoredRun run = read_run(path_);
  EXPECT_THAT(run.problems, SizeIs(8));
  EXPECT_THAT(run.problems.front().message(),
              HasSubstr("samples.ndjson:9: comes after iteration 3 of its point"));
  EXPECT_THAT(run.points[0].gst, SizeIs(3));
}

TEST_F(StoredRunTest, OddPointsAreNamed) {
  json point = json::parse(
      bytes_of(path_ / kPointsFile).substr(0, bytes_of(path_ / kPointsFile).find(",\"crc32\"")) +
      "}");
  for (const char* name : {"N", "k", "elements"}) {
    json odd = point;
    odd[name] = -3;
    write(path_ / kPointsFile, seal(odd) + "\n");
    EXPECT_THAT(problems(), Contains(HasSubstr("points.ndjson:1: is not a point"))) << name;
  }
}

// A pipe would keep a reader waiting for ever.
TEST_F(StoredRunTest, APipeIsNamed) {
  fs::remove(path_ / kSamplesFile);
  ASSERT_EQ(::mkfifo((path_ / kSamplesFile).c_str(), 0600), 0);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("samples.ndjson: is not a regular file")));
  EXPECT_THROW(static_cast<void>(RunFolder::resume(path_)), InputError);
}

TEST_F(StoredRunTest, WhatIsNestedWithoutEndIsNamed) {
  write(path_ / kContextFile, "{\"version\":1,\"a\":" + std::string(100'000, '['));
  EXPECT_THAT(problems(), Contains(HasSubstr("nested too deeply")));
}

TEST_F(StoredRunTest, TheLastCalibrationOfAWiringCounts) {
  const auto calibration = [](const char* wiring, double startup) {
    const json found = {{"expected_bytes_per_s", 1e6}, {"together_bytes_per_s", 1e6},
                        {"machine_bound", false},      {"repeated", 0},
                        {"startup_us", startup},       {"burst_bytes_per_s", 2e6},
                        {"built_in_ms", 4.0},          {"links", json::array()}};
    return json{{"version", 1}, {"dilation", 100.0},    {"rate_bits_per_s", 1e7},
                {"mtu", 9000},  {"burst_bytes", 73728}, {"wirings", {{wiring, found}}}};
  };
  json context = json::parse(bytes_of(path_ / kContextFile));
  json attempt = context;
  context["resumed"] = {attempt, attempt};
  write(path_ / kContextFile, context.dump());
  write(path_ / kCalibrationFile, calibration("a", 1).dump());
  write(path_ / calibration_file(2), calibration("b", 2).dump());
  EXPECT_THAT(problems(), IsEmpty());
  const json wirings = read_run(path_).calibration.at("wirings");
  EXPECT_EQ(wirings.at("a").at("startup_us"), 1);
  EXPECT_EQ(wirings.at("b").at("startup_us"), 2);
}

TEST_F(StoredRunTest, WhatNoPointBeganIsNamed) {
  RunFolder::resume(path_).append(sample(point_record(7), 1, 5));
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("samples.ndjson:9: is of no known point, key-7")));
}

TEST_F(StoredRunTest, AFileThatIsAFolderIsNamed) {
  fs::remove(path_ / kPointsFile);
  fs::create_directory(path_ / kPointsFile);
  EXPECT_THAT(problems(), Contains(HasSubstr("points.ndjson")));
}

TEST_F(StoredRunTest, IsRunningWhileSomebodyWrites) {
  const RunFolder writer = RunFolder::resume(path_);
  std::ofstream(path_ / kSamplesFile, std::ios::app) << "{\"gst_ns\":12";  // half a line
  const StoredRun run = read_run(path_);
  EXPECT_EQ(run.status, RunStatus::running);
  EXPECT_THAT(run.problems, IsEmpty()) << "the rest of the line is on its way";
}

TEST_F(StoredRunTest, MarksAreFlagsOfThePoint) {
  RunFolder folder = RunFolder::resume(path_);
  folder.mark("key-0", "packet-loss");
  const StoredRun run = read_run(path_);
  EXPECT_THAT(row_flags(run.points[0].row), Contains("packet-loss"));
  EXPECT_THAT(row_flags(run.points[1].row), Not(Contains("packet-loss")));
}

TEST_F(StoredRunTest, WhereThereIsNoRunItSaysSo) {
  fs::create_directories(scratch_ / "empty");
  EXPECT_THROW(static_cast<void>(read_run(scratch_ / "empty")), InputError);
  EXPECT_THROW(static_cast<void>(read_run(scratch_ / "absent")), InputError);
  EXPECT_THROW(static_cast<void>(folders_of(std::vector{(scratch_ / "empty").string()})),
               InputError);
  EXPECT_THAT(folders_of(std::vector{path_.parent_path().string()}), ElementsAre(path_));
}

// Iterations of several attempts are one row; it says so. What was predicted of it is what the first
// attempt predicted: the second knew some of what it was to predict.
TEST_F(StoredRunTest, AttemptsOfAPointAreReadTogether) {
  const fs::path path = scratch_ / "resumed";
  {
    RunFolder folder = create_folder(path);
    PointRecord record = point_record(0);
    record.predicted = Seconds(19e-6);
    folder.begin(record);
    for (std::size_t i = 0; i < 2; ++i) folder.append(sample(record, i, 20));
  }
  const run::Resumption before(read_run(path));
  EXPECT_EQ(before.done("key-0", 3), 1u);
  EXPECT_EQ(before.done("key-1", 3), 0u);
  EXPECT_EQ(before.dilation(), 100);
  RunFolder folder = RunFolder::resume(path);
  folder.begin_attempt(1);
  PointRecord again = point_record(0, 1);
  again.predicted = Seconds(29e-6);
  folder.begin(again);
  for (const std::size_t i : {0, 2, 3}) folder.append(sample(again, i, 30));
  const StoredRun run = read_run(path);
  EXPECT_THAT(run.points.at(0).gst, SizeIs(3));
  EXPECT_THAT(row_flags(run.points.at(0).row), Contains(kFlagResumed));
  EXPECT_NEAR(run.points.at(0).row.predicted.value().count(), 19e-6, 1e-15);
}

/// Appends an attempt of a training job: so many buckets, so many measured iterations.
void train(RunFolder& folder, std::size_t buckets, std::size_t iterations) {
  PointRecord point = point_record(0, folder.attempt());
  point.training.emplace();
  folder.begin(point);
  for (std::size_t i = 1; i <= iterations; ++i) {
    Sample made = sample(point, i, 40);
    made.training = TrainingSample{
        .buckets = std::vector<BucketSample>(buckets, {.end = std::chrono::microseconds(100)})};
    folder.append(made);
  }
}

// Of a training job only the last attempt in which something was measured counts: its buckets may
// be others.
TEST_F(StoredRunTest, ATrainingJobBeginsAnew) {
  const fs::path path = scratch_ / "training";
  {
    RunFolder folder = create_folder(path);
    train(folder, 2, 2);
  }
  EXPECT_EQ(run::Resumption(read_run(path)).done("key-0", 3), 0u) << "all or nothing";
  {
    RunFolder folder = RunFolder::resume(path);
    folder.begin_attempt(1);
    train(folder, 5, 3);
  }
  RunFolder folder = RunFolder::resume(path);
  folder.begin_attempt(2);
  train(folder, 4, 0);
  const StoredRun run = read_run(path);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_THAT(run.points.at(0).iterations, SizeIs(3));
  EXPECT_THAT(run.points.at(0).row.training->bucket_gst, SizeIs(5));
}

}  // namespace
}  // namespace gradwire::record
