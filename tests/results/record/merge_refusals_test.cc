// What cannot be put together is refused by name, nothing is left behind, and no part is changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/merge.h"
#include "tests/results/record/parts.h"
#include "tests/results/record/resealed.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

using MergeRefusals = Sweep;

TEST(SweepPart, IsReadAsItIsWritten) {
  EXPECT_EQ(parse_sweep_part("2/8"), (SweepPart{.number = 2, .of = 8}));
  EXPECT_EQ(parse_sweep_part("1000/1000"), (SweepPart{.number = 1000, .of = 1000}));
  EXPECT_EQ(to_string(parse_sweep_part("02/8")), "2/8");
  for (const char* wrong : {"",      "/",     "2",      "2/",   "/8",
                            "0/8",   "9/8",   "1/0",    "0/0",  "-1/8",
                            "+1/8",  "1/-8",  " 1/8",   "1/8 ", "1 / 8",
                            "1/8/2", "1.0/8", "1/1001", "a/b",  "1/18446744073709551617"}) {
    EXPECT_THROW(static_cast<void>(parse_sweep_part(wrong)), InputError) << wrong;
  }
}

// Every point is in one part, and no two parts differ by more than one point.
TEST(SweepPart, PointsAreDealtInTurn) {
  const std::vector<std::size_t> expected{1, 2, 3, 1, 2, 3, 1};
  for (std::size_t point = 0; point < expected.size(); ++point) {
    for (std::size_t number = 1; number <= 3; ++number) {
      EXPECT_EQ((SweepPart{.number = number, .of = 3}.has(point)), number == expected[point]);
    }
  }
}

TEST_F(MergeRefusals, TheSamePartTwice) {
  const fs::path first = part(1);
  const fs::path copy = scratch_ / "copy";
  fs::copy(first, copy, fs::copy_options::recursive);
  EXPECT_THAT(refusal({first, part(2), copy}),
              AllOf(HasSubstr(copy.string() + ": is part 1/2, as " + first.string() + " is"),
                    HasSubstr("both have ring on single-switch(9)"), HasSubstr("(point 0)")));
  EXPECT_THAT(refusal({first, first}), HasSubstr("is part 1/2, as "));
}

TEST_F(MergeRefusals, PartsThatAreMissing) {
  EXPECT_EQ(refusal({part(2)}), "part 1/2 is missing");
  EXPECT_EQ(refusal({part(2, 4)}), "parts 1/4, 3/4, 4/4 are missing");
  EXPECT_THAT(refusal({part(3, 1000)}), HasSubstr("11/1000 and 989 more are missing"));
}

TEST_F(MergeRefusals, PartsOfDifferentNumbers) {
  EXPECT_THAT(refusal({part(1), part(2, 3)}),
              AllOf(HasSubstr("is part 2/3"), HasSubstr("is part 1/2")));
}

TEST_F(MergeRefusals, WhatIsNoPart) {
  EXPECT_THAT(refusal({whole()}), HasSubstr("it was run without --points"));
  merge({part(1), part(2)});
  const fs::path merged = to_;
  to_ = scratch_ / "again";
  EXPECT_THAT(refusal({merged}), HasSubstr("was put together of parts"));
  EXPECT_THAT(refusal({scratch_ / "absent"}), HasSubstr("there is no such folder"));
  fs::remove(scratch_ / "part-1-2/context.json");
  EXPECT_THAT(refusal({scratch_ / "part-1-2"}), HasSubstr("has no context.json"));
}

TEST_F(MergeRefusals, AnotherExperiment) {
  const fs::path first = part(1);
  overrides_.rate = BitRate{1e9};
  const fs::path second = part(2);
  EXPECT_THAT(refusal({first, second}),
              AllOf(HasSubstr(second.string()), HasSubstr("is of another experiment"),
                    HasSubstr("/experiment/link/rate_bits_per_s")));
}

TEST_F(MergeRefusals, OtherPointsOfTheSameExperiment) {
  const fs::path first = part(1);
  const fs::path second = part(2);
  change(second, [](json& context) { context["part"]["sweep"] = "0a1c"; });
  EXPECT_THAT(refusal({first, second}), HasSubstr("has other points than " + first.string()));
}

TEST_F(MergeRefusals, AnotherBuild) {
  const fs::path first = part(1);
  const fs::path second = part(2);
  change(second, [](json& context) {
    json again = context;
    again.erase("experiment");
    again["build"]["commit"] = "0123";
    context["resumed"].push_back(again);
  });
  EXPECT_THAT(refusal({first, second}), HasSubstr("they differ in /build/commit"))
      << "also of a part that was gone on with";
}

TEST_F(MergeRefusals, AnotherDilation) {
  const fs::path first = scratch_ / "first";
  const fs::path second = scratch_ / "second";
  for (const bool is_second : {false, true}) {
    const SweepPart part{.number = is_second ? 2u : 1u, .of = 2};
    RunFolder folder = create(is_second ? second : first, 1, part);
    PointRecord record = point_record(is_second ? 1 : 0);
    record.dilation = is_second ? 50 : 100;
    write_point(folder, record);
  }
  EXPECT_THAT(refusal({first, second}),
              AllOf(HasSubstr("a dilation of 50"), HasSubstr("with 100")));
}

TEST_F(MergeRefusals, APartThatDidNotEnd) {
  const fs::path first = scratch_ / "first";
  {
    RunFolder folder = create(first, 1, SweepPart{.number = 1, .of = 2});
    folder.begin(mixed_record(0));
    folder.append(sample(mixed_record(0), 1, 20));
  }
  EXPECT_THAT(refusal({first, part(2)}),
              AllOf(HasSubstr("part 1/2 did not end"),
                    HasSubstr("gradwire run --resume " + first.string())));
}

TEST_F(MergeRefusals, PartsThatLackPoints) {
  const std::vector<fs::path> parts{part(1), part(2)};
  change(parts[1], [](json& context) { context["experiment"]["planned"] = 2; });
  EXPECT_THAT(refusal(parts), HasSubstr("have 3 points to measure, and the experiment has 2"));
}

TEST_F(MergeRefusals, APartThatIsBeingWritten) {
  const fs::path first = part(1);
  const RunFolder writer = RunFolder::resume(first);
  EXPECT_THAT(refusal({first, part(2)}), HasSubstr("is being written"));
}

TEST_F(MergeRefusals, DamageInAnyFile) {
  const std::vector<fs::path> parts{part(1), part(2)};
  for (const char* name : {kPointsFile, kSamplesFile, kTimelinesFile}) {
    const std::string sound = content_of(parts[1] / name);
    std::string damaged = sound;
    damaged[damaged.find("\"key\":\"") + 7] ^= 1;
    write_content(parts[1] / name, damaged);
    EXPECT_THAT(refusal(parts), HasSubstr(std::string(name) + ":1: is damaged")) << name;
    write_content(parts[1] / name, sound + "{\"half");
    EXPECT_THAT(refusal(parts), HasSubstr("ends in the middle of the line")) << name;
    write_content(parts[1] / name, sound);
  }
  change(parts[1], [](json& context) { context["part"]["number"] = 3; });
  EXPECT_THAT(refusal(parts), HasSubstr("there is no part 3/2"));
}

// A folder that was put together by hand.
TEST_F(MergeRefusals, PointsOfAnotherPart) {
  const fs::path first = part(1);
  const fs::path second = part(2);
  for (const char* name : {kPointsFile, kSamplesFile, kTimelinesFile}) {
    write_content(second / name, content_of(second / name) + content_of(first / name));
  }
  EXPECT_THAT(refusal({first, second}), HasSubstr("is part 2/2, and has a point of another: ring"));
}

TEST_F(MergeRefusals, LinesOfAPointThatWasNotMeasured) {
  const std::vector<fs::path> parts{part(1), part(2)};
  json line = json::parse(content_of(parts[1] / kTimelinesFile));
  line.erase("crc32");
  line["key"] = "stray";
  write_content(parts[1] / kTimelinesFile, resealed(line) + "\n");
  EXPECT_THAT(refusal(parts), AllOf(HasSubstr(kTimelinesFile), HasSubstr("stray")));
}

TEST_F(MergeRefusals, AFolderThatExists) {
  const std::vector<fs::path> parts{part(1), part(2)};
  fs::create_directories(to_);
  EXPECT_THAT(refusal(parts), HasSubstr("merged: exists"));
  fs::remove(to_);
  write_content(to_, "a file");
  EXPECT_THAT(refusal(parts), HasSubstr("exists"));
  fs::remove(to_);
  fs::create_symlink(scratch_ / "nowhere", to_);
  EXPECT_THAT(refusal(parts), HasSubstr("exists")) << "nothing is written through a link";
  EXPECT_FALSE(fs::exists(scratch_ / "nowhere"));
  to_ = "";
  EXPECT_THAT(refusal(parts), HasSubstr("needs a name"));
}

TEST_F(MergeRefusals, AFolderInAPart) {
  const std::vector<fs::path> parts{part(1), part(2)};
  to_ = parts[0] / "merged";
  EXPECT_THAT(refusal(parts), HasSubstr("lies in " + parts[0].string()));
  to_ = parts[0] / "deep/../merged/";
  EXPECT_THAT(refusal(parts), HasSubstr("lies in "));
  fs::create_directory_symlink(parts[0], scratch_ / "link");
  to_ = scratch_ / "link/merged";
  EXPECT_THAT(refusal(parts), HasSubstr("lies in "));
  to_ = parts[0].string() + "-merged";
  merge(parts);
  EXPECT_TRUE(fs::exists(to_)) << "its name begins with that of a part, and it lies in none";
}

TEST_F(MergeRefusals, WhatResultsCannotBeMadeOf) {
  const std::vector<fs::path> parts{part(1), part(2)};
  const std::vector<std::string> before = everything();
  EXPECT_THROW(merge_parts({.parts = parts,
                            .to = to_,
                            .arguments = {},
                            .results = [](const StoredRun&) -> json {
                              throw InputError("a trace is gone");
                            }}),
               InputError);
  EXPECT_EQ(everything(), before);
}

}  // namespace
}  // namespace gradwire::record
