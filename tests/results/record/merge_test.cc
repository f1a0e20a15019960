// Parts of a sweep put together are what one run of the whole would have left.
#include "results/record/merge.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/schemas.h"
#include "results/record/flags.h"
#include "results/record/stored_run.h"
#include "tests/results/record/parts.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using Merged = Sweep;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

// Lines are in the order of the whole, in whatever order parts are named.
TEST_F(Merged, EqualsTheWholeToTheByte) {
  const fs::path all = whole();
  merge({part(2), part(1)});
  EXPECT_THAT(files_in(to_), UnorderedElementsAre(kExperimentFile, kContextFile, kPointsFile,
                                                  kSamplesFile, kTimelinesFile, kResultsFile));
  for (const char* same : {kExperimentFile, kPointsFile, kSamplesFile, kTimelinesFile}) {
    EXPECT_EQ(content_of(to_ / same), content_of(all / same)) << same;
    EXPECT_THAT(content_of(to_ / same), Not(IsEmpty())) << same;
  }
  EXPECT_EQ(json::parse(content_of(to_ / kResultsFile)).at("rows"), 2);
  EXPECT_EQ(read_run(to_).status, RunStatus::complete);
}

// "apart from what names run, time and machine"
TEST_F(Merged, ContextSaysWhatTheWholesSays) {
  const fs::path all = whole();
  merge({part(1), part(2)});
  json merged = json::parse(content_of(to_ / kContextFile));
  EXPECT_EQ(text::why_invalid(merged, "context"), std::nullopt);
  EXPECT_THAT(merged.at("parts"), SizeIs(2));
  json expected = json::parse(content_of(all / kContextFile));
  merged.erase("parts");
  for (const char* own : {"started", "process", "arguments", "machine"}) {
    merged.erase(own);
    expected.erase(own);
  }
  EXPECT_EQ(merged, expected);
}

TEST_F(Merged, KeepsTheMachineOfEachPart) {
  const fs::path first = part(1);
  const fs::path second = part(2);
  change(first, [](json& context) {
    context["machine"]["host"] = "a";
    context["machine"]["sysctl"] = {{"same", "1"}, {"other", "1"}};
    context["started"] = "2026-03-01T12:00:05Z";
  });
  change(second, [](json& context) {
    context["machine"]["host"] = "b";
    context["machine"]["sysctl"] = {{"same", "1"}, {"other", "2"}};
    context["started"] = "2026-03-01T11:00:05Z";
  });
  merge({first, second});
  const json context = read_run(to_).context;
  EXPECT_EQ(context.at("machine").at("host"), nullptr);
  EXPECT_EQ(context.at("machine").at("sysctl"), (json{{"same", "1"}, {"other", nullptr}}));
  EXPECT_EQ(context.at("started"), "2026-03-01T11:00:05Z") << "when the first of them began";
  EXPECT_EQ(context.at("arguments"), (json{"gradwire", "results", "merge"}));
  for (std::size_t i = 0; i < 2; ++i) {
    const json& part = context.at("parts").at(i);
    EXPECT_EQ(part.at("part").at("number"), i + 1);
    EXPECT_EQ(part.at("machine").at("host"), i == 0 ? "a" : "b");
  }
}

// Each part calibrates its own links, also where they are of the same wiring.
TEST_F(Merged, KeepsTheCalibrationOfEachPart) {
  const auto calibrate = [](const fs::path& folder, double startup) {
    const json wiring = {{"expected_bytes_per_s", 1e9},
                         {"together_bytes_per_s", 1e9},
                         {"machine_bound", false},
                         {"repeated", 0},
                         {"startup_us", startup},
                         {"burst_bytes_per_s", 1e9},
                         {"built_in_ms", 1},
                         {"links", json::array()}};
    write_content(folder / kCalibrationFile, json{{"version", 1},
                                                  {"dilation", 100},
                                                  {"rate_bits_per_s", 1e9},
                                                  {"mtu", 9000},
                                                  {"burst_bytes", 9000},
                                                  {"wirings", {{"w", wiring}}}}
                                                 .dump());
  };
  const std::vector<fs::path> parts{part(1), part(2)};
  calibrate(parts[0], 3);
  calibrate(parts[1], 4);
  merge(parts);
  const StoredRun run = read_run(to_);
  EXPECT_THAT(run.problems, IsEmpty());
  const auto startup = [&](std::size_t point) {
    const json& found = calibration_of(run, run.points.at(point).record.configuration);
    return found.at("wirings").at("w").at("startup_us").get<double>();
  };
  EXPECT_EQ(startup(0), 3);
  EXPECT_EQ(startup(1), 4);
  EXPECT_EQ(run.calibration.at("wirings").at("w").at("startup_us"), 4) << "the last";
  EXPECT_TRUE(calibration_of(read_run(parts[0]), point_record(0).configuration).is_object());
}

TEST_F(Merged, APartWithoutPointsIsOne) {
  const std::vector<fs::path> parts{part(1, 3), part(2, 3), part(3, 3)};
  EXPECT_EQ(read_run(parts[2]).status, RunStatus::complete);
  merge(parts);
  EXPECT_EQ(content_of(to_ / kSamplesFile), content_of(whole() / kSamplesFile));
  EXPECT_EQ(read_run(to_).planned, 2u);
}

TEST_F(Merged, OnePartAloneIsTheWhole) {
  merge({part(1, 1)});
  EXPECT_EQ(content_of(to_ / kPointsFile), content_of(whole() / kPointsFile));
}

// A part that was killed and gone on with keeps the flag that says so.
TEST_F(Merged, APartMayHaveBeenResumed) {
  const fs::path first = scratch_ / "first";
  const PointRecord begun = mixed_record(0);
  {
    RunFolder folder = create(first, 1, SweepPart{.number = 1, .of = 2});
    folder.begin(begun);
    for (std::size_t i = 0; i < 3; ++i) folder.append(sample(begun, i, 20));
  }
  change(first, [](json& context) {
    json again = context;
    again.erase("experiment");
    context["resumed"].push_back(again);
  });
  {
    RunFolder folder = RunFolder::resume(first);
    folder.begin_attempt(1);
    folder.begin(mixed_record(0, 1));
    folder.append(sample(mixed_record(0, 1), 3, 20));
  }
  const StoredRun alone = read_run(first);
  ASSERT_EQ(alone.status, RunStatus::complete);
  merge({first, part(2)});
  const StoredRun run = read_run(to_);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_EQ(run.points.at(0).gst, alone.points.at(0).gst);
  EXPECT_THAT(run.points.at(0).row.flags, ElementsAre(kFlagResumed));
  EXPECT_THAT(run.context.at("parts").at(0).at("resumed"), SizeIs(1));
  EXPECT_THAT(run.context.at("resumed"), IsEmpty());
}

// A point that stalls never ends: the others are merged if that is asked for, and the whole says
// that it is not whole.
TEST_F(Merged, APartMayLackAnEnd) {
  const fs::path first = scratch_ / "first";
  {
    RunFolder folder = create(first, 1, SweepPart{.number = 1, .of = 2});
    folder.begin(mixed_record(0));
    folder.append(sample(mixed_record(0), 1, 20));
    // Points of a group begin together: the part ended before this one was measured.
    folder.begin(mixed_record(2));
    folder.append(sample(mixed_record(2), 0, 20));
  }
  merge({first, part(2)}, true);
  const StoredRun run = read_run(to_);
  EXPECT_THAT(run.problems, IsEmpty());
  EXPECT_EQ(run.status, RunStatus::incomplete);
  EXPECT_THAT(run.points, SizeIs(2));
}

// Copies without what can be made again are merged, too; nothing is made of what no part has.
TEST_F(Merged, PartsNeedNoTimelines) {
  const std::vector<fs::path> parts{part(1), part(2)};
  for (const fs::path& one : parts) fs::remove(one / kTimelinesFile);
  merge(parts);
  EXPECT_FALSE(fs::exists(to_ / kTimelinesFile));
  EXPECT_THAT(read_run(to_).problems, IsEmpty());
}

TEST_F(Merged, FoldersAboveAreMade) {
  to_ = scratch_ / "new/folder/merged/";
  merge({part(1), part(2)});
  EXPECT_EQ(read_run(to_).status, RunStatus::complete);
}

// What was killed left a copy, which nobody needs. Another's folder of such a name stays.
TEST_F(Merged, WhatAKilledMergeLeftGoes) {
  const fs::path left = scratch_ / "merged.partial-x0y1z2";
  const fs::path other = scratch_ / "merged.partial-x0y1z3";
  fs::create_directories(left);
  fs::create_directories(other);
  mark_unfinished(left);
  mark_unfinished(other);
  write_content(left / kSamplesFile, "half a line");
  write_content(left / calibration_file(3), "{}");
  write_content(other / "thesis.tex", "months of work");
  merge({part(1), part(2)});
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(other / "thesis.tex"));
}

}  // namespace
}  // namespace gradwire::record
