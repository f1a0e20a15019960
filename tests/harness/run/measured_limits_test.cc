#include "harness/run/measured_limits.h"

#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::run {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What is said of an experiment with these lines before it runs on a backing; empty when it may.
std::string refusal(const std::string& lines, record::Backing backing = record::Backing::emulated) {
  try {
    const experiment::Experiment experiment =
        experiment::load_experiment_text("gradwire: 1\nname: t\n" + lines, "x.yaml");
    experiment::check_backings(experiment);
    static_cast<void>(prepare(experiment, backing));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kRing = "algorithm: ring\nwiring: single-switch(4)\nelements: 9000\n";

std::string link(const char* rate, const char* dilation) {
  return fmt::format("link: {{rate: {}}}\ndilation: {}\n{}", rate, dilation, kRing);
}

// Rates are divided by the dilation.
TEST(MeasuredLimits, LinksHaveARateThatAShaperTakes) {
  EXPECT_EQ(refusal(link("1kbit", "1")), "");
  EXPECT_EQ(refusal(link("1Gbit", "1000000")), "");
  EXPECT_THAT(
      refusal(link("1kbit", "1000000")),
      AllOf(StartsWith("x.yaml:3:"), HasSubstr("is 0.001 bit/s; links have from 1 kbit/s")));
  EXPECT_THAT(refusal(link("999bit", "auto")), HasSubstr("links have from 1 kbit/s to 34 Tbit/s"));
  EXPECT_THAT(refusal(link("35Tbit", "1")), StartsWith("x.yaml:3:"));
  EXPECT_EQ(refusal(link("35Tbit", "auto")), "") << "the machine's rate decides";
  EXPECT_EQ(refusal("backing: simulated\n" + link("999bit", "1"), record::Backing::simulated), "");
}

// Four ports send and receive for 0.25 s: 34 Tbit/s are 8.5 TB.
TEST(MeasuredLimits, CalibratingMustFitIntoMemory) {
  EXPECT_THAT(
      refusal(link("34Tbit", "1")),
      AllOf(StartsWith("x.yaml:3:"), HasSubstr("7916 GiB to calibrate on single-switch(4)")));
}

// 2e8 elements through a ring of four: 1.5 * 8e8 B * 8 bit at 1 kbit/s * 8948/9014 are 112 days.
TEST(MeasuredLimits, AnIterationTakesAMonthAtMost) {
  const auto ring = [](const char* elements) {
    return fmt::format(
        "link: {{rate: 1Mbit}}\ndilation: 1000\nalgorithm: ring\nwiring: single-switch(4)\n"
        "elements: {}\n",
        elements);
  };
  EXPECT_EQ(refusal(ring("1000000")), "");
  EXPECT_THAT(refusal(ring("200000000")),
              AllOf(StartsWith("x.yaml:7:11: "),
                    HasSubstr("takes 112 days at a dilation of 1000; 30 at most")));
  // What is computed is dilated, too: a million pictures on a K80 are hours.
  EXPECT_THAT(refusal("link: {rate: 1Tbit}\ndilation: 1000000\nalgorithm: ring\n"
                      "wiring: single-switch(2)\nworkload: resnet50\ncompute: {device: k80}\n"
                      "batch: 1000000\n"),
              HasSubstr("at a dilation of 1e+06; 30 at most"));
}

TEST(MeasuredLimits, ATimeoutFitsIntoTheKernelsMilliseconds) {
  const std::string plain = link("1Gbit", "4");
  EXPECT_EQ(refusal(plain + "timeout: 2073600s\n"), "") << "24 days";
  EXPECT_THAT(refusal(plain + "timeout: 2073601s\n"),
              AllOf(StartsWith("x.yaml:8:10: "), HasSubstr("too long; 24 days at most")));
}

TEST(MeasuredLimits, ASizeIsBoundedAsElementsAre) {
  const auto with = [](const char* amount) {
    return fmt::format("link: {{rate: 1Gbit}}\nalgorithm: ring\nwiring: single-switch(4)\n{}\n",
                       amount);
  };
  const auto simulated = record::Backing::simulated;
  EXPECT_EQ(refusal(with("size: 400GB"), simulated), "");
  EXPECT_EQ(refusal(with("size: 400000000004B"), simulated),
            "x.yaml:6:7: size: '400000000004B' is more than 100000000000 float32");
  EXPECT_THAT(refusal(with("size: 400000000004"), simulated), StartsWith("x.yaml:6:7: size: "));
  EXPECT_THAT(refusal(with("elements: 100000000001"), simulated),
              StartsWith("x.yaml:6:11: elements: "));
}

// Refused where the algorithm is written, and before anything is made of it.
TEST(MeasuredLimits, PiecesThatCannotBeMadeHaveAPlace) {
  for (const char* algorithm : {"ring(pieces=18446744073709551615)", "double-tree(pieces=1000001)",
                                "ring(pieces=100000000)"}) {
    for (const auto backing : {record::Backing::emulated, record::Backing::simulated}) {
      EXPECT_THAT(refusal(fmt::format("link: {{rate: 1Gbit}}\nwiring: single-switch(4)\n"
                                      "elements: 10000000\nalgorithm: \"{}\"\n",
                                      algorithm),
                          backing),
                  AllOf(StartsWith("x.yaml:6:12: "), HasSubstr("at most can be made")));
    }
  }
}

}  // namespace
}  // namespace gradwire::run
