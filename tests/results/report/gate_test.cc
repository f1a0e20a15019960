#include "results/report/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/record/point_name.h"

namespace gradwire::report {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A row of 1 ms.
record::Row bounded_row(std::optional<Seconds> bound) {
  return {.configuration = {.backing = record::Backing::emulated,
                            .wiring = "single-switch(9)",
                            .algorithm = "ring",
                            .workload = "lenet5",
                            .ranks = 9,
                            .ports_per_host = 1,
                            .elements = 1000},
          .gst = {.n = 6, .median = 1e-3},
          .bound = bound,
          .wrong = 0};
}

std::string reason(const record::Row& row) {
  const auto failed = failures({.min_efficiency = 0.9}, std::span(&row, 1));
  return failed.empty() ? "" : failed.front().reason;
}

TEST(PointName, HasWhatMakesThePoint) {
  EXPECT_EQ(record::point_name(bounded_row({}).configuration),
            "ring on single-switch(9), lenet5, emulated");
  record::Configuration other = bounded_row({}).configuration;
  other.workload = "";
  other.backing = record::Backing::simulated;
  EXPECT_EQ(record::point_name(other), "ring on single-switch(9), 1000 elements, simulated");
  other.workload = "resnet50";
  other.batch = 64;
  other.schedule = "mg-wfbp";
  EXPECT_EQ(record::point_name(other),
            "ring on single-switch(9), resnet50, batch 64, mg-wfbp, simulated");
}

TEST(Efficiency, IsReadFromPercentAndShares) {
  EXPECT_DOUBLE_EQ(parse_efficiency("90%"), 0.9);
  EXPECT_DOUBLE_EQ(parse_efficiency("87.5 %"), 0.875);
  EXPECT_DOUBLE_EQ(parse_efficiency("0.9"), 0.9);
  EXPECT_DOUBLE_EQ(parse_efficiency("1"), 1);
  for (const char* text : {"", "90", "1.1", "0", "0%", "-5%", "101%", "nan", "inf", "90 percent",
                           "%", "0.9 ", " 0.9", "0.9%%", "0,9"}) {
    EXPECT_THROW(static_cast<void>(parse_efficiency(text)), InputError) << text;
  }
}

// Bound 0.831 of 1 ms: eff 83.1 %.
TEST(Gate, NamesTheRowAndWhatItMissed) {
  const record::Row slow = bounded_row(Seconds(0.8312e-3));
  const auto failed = failures({.min_efficiency = 0.9}, std::span(&slow, 1));
  ASSERT_THAT(failed, SizeIs(1));
  EXPECT_EQ(failed.front().message(),
            "ring on single-switch(9), lenet5, emulated: eff 83.1 %, asked for 90 %");
}

TEST(Gate, LetsThroughWhatReachesIt) {
  EXPECT_EQ(reason(bounded_row(Seconds(0.9e-3))), "");
  EXPECT_EQ(reason(bounded_row(Seconds(1.002e-3))), "")
      << "faster than the bound is flagged, not failed";
}

// 89.99 % is shown as less than the 90 % asked for.
TEST(Gate, NeverReadsLikeAPass) {
  EXPECT_EQ(reason(bounded_row(Seconds(0.8999e-3))), "eff 89.9 %, asked for 90 %");
}

TEST(Gate, FailsWhatItCannotJudge) {
  EXPECT_EQ(reason(bounded_row(std::nullopt)), "no bound, so no efficiency to judge it by");
  record::Row wrong = bounded_row(Seconds(0.99e-3));
  wrong.wrong = 3;
  EXPECT_EQ(reason(wrong), "3 elements are wrong, so its time means nothing");
}

TEST(Gate, KeepsTheRowsOrder) {
  const std::vector<record::Row> rows{bounded_row(Seconds(0.8e-3)), bounded_row(Seconds(0.95e-3)),
                                      bounded_row(Seconds(0.7e-3))};
  const auto failed = failures({.min_efficiency = 0.9}, rows);
  ASSERT_THAT(failed, SizeIs(2));
  EXPECT_EQ(failed[0].reason, "eff 80.0 %, asked for 90 %");
  EXPECT_EQ(failed[1].reason, "eff 70.0 %, asked for 90 %");
  EXPECT_THAT(failures({.min_efficiency = 0.9}, {}), IsEmpty());
}

}  // namespace
}  // namespace gradwire::report
