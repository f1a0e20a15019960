#include "harness/experiment/experiment.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/harness/experiment/refusal.h"

namespace gradwire::experiment {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::replaced;
using ::testing::StartsWith;

const std::string kValid =
    "gradwire: 1\n"
    "name: small\n"
    "link: {rate: 40Gbit, mtu: 9000}\n"
    "iterations: 5\n"
    "sweep:\n"
    "  zip:\n"
    "    algorithm: [ring, bml]\n"
    "    wiring: [single-switch(9), \"bcube(3,2)\"]\n"
    "  product:\n"
    "    elements: [100, 200, 300]\n";

// zip of 2 times product of 3: six points, in the order of the file.
TEST(Experiment, ExpandsItsSweep) {
  const Experiment experiment = load_experiment_text(kValid, "x.yaml");
  ASSERT_EQ(experiment.points.size(), 6u);
  std::size_t bml = 0;
  for (const Point& point : experiment.points) {
    EXPECT_EQ(point.task.algorithm.name() == "bml", point.task.wiring->name() == "bcube(3,2)");
    bml += point.task.algorithm.name() == "bml" ? 1 : 0;
  }
  EXPECT_EQ(bml, 3u);
  EXPECT_EQ(experiment.rate.bits_per_second, 40e9);
  EXPECT_EQ(experiment.iterations, 5u);
}

TEST(Experiment, RefusalsNameFileLineAndColumn) {
  EXPECT_THAT(refusal(replaced(kValid, "iterations", "iteratoins")),
              AllOf(StartsWith("x.yaml:4:1: "), HasSubstr("iterations")));
  EXPECT_THAT(refusal(replaced(kValid, "iterations: 5", "iterations: many")),
              StartsWith("x.yaml:4:13: "));
  EXPECT_THAT(refusal(replaced(kValid, "[ring, bml]", "[ring]")), StartsWith("x.yaml:"));
  EXPECT_THAT(refusal(replaced(kValid, "\"bcube(3,2)\"", "\"bcube(1000000,9)\"")),
              StartsWith("x.yaml:8:"));
  EXPECT_THAT(refusal(replaced(kValid, "40Gbit", "fast")), StartsWith("x.yaml:3:14: "));
  EXPECT_THAT(refusal(kValid + "name: again\n"), StartsWith("x.yaml:11:1: "));
  EXPECT_THAT(refusal(kValid + "elements: 5\n"), HasSubstr("elements"));
}

TEST(Experiment, RefusesAliasesAnchorsAndTags) {
  EXPECT_NE(refusal("gradwire: &a 1\nname: *a\n"), "");
  EXPECT_NE(refusal("gradwire: !!int 1\n"), "");
  EXPECT_NE(refusal("gradwire: 1\n---\ngradwire: 1\n"), "");
}

TEST(Experiment, RefusesBombs) {
  std::string deep = "gradwire: ";
  for (int i = 0; i < 5000; ++i) deep += '[';
  EXPECT_NE(refusal(deep), "");
  EXPECT_NE(refusal(std::string(2'000'000, '#')), "");
  std::string wide = "gradwire: [";
  for (int i = 0; i < 150'000; ++i) wide += "1,";
  EXPECT_NE(refusal(wide + "1]\n"), "");
}

// Cut anywhere, the file is refused with a place or valid, and never anything else.
TEST(Experiment, EveryTruncationIsValidOrRefused) {
  for (std::size_t length = 0; length < kValid.size(); ++length) {
    const std::string message = refusal(kValid.substr(0, length));
    if (!message.empty()) {
      EXPECT_THAT(message, StartsWith("x.yaml:")) << length;
    }
  }
}

// With any byte replaced, the same.
TEST(Experiment, EveryFlippedByteIsValidOrRefused) {
  for (std::size_t at = 0; at < kValid.size(); ++at) {
    for (const char byte : {'\0', '\xff', '{', '"', '*', '\n'}) {
      std::string text = kValid;
      text[at] = byte;
      const std::string message = refusal(text);
      if (!message.empty()) {
        EXPECT_THAT(message, StartsWith("x.yaml")) << at;
      }
    }
  }
}

// A newer file is told by its version, whatever else in it this program does not know.
TEST(Experiment, OfANewerVersionIsRefusedByItsVersion) {
  EXPECT_EQ(refusal("name: t\nlink: {rate: 1Gbit, lanes: 4}\nflows: many\ngradwire: 2\n"),
            "x.yaml:4:11: the file is of version 2; this gradwire reads version 1");
  EXPECT_THAT(refusal("gradwire: soon\n"), HasSubstr("expected 1"));
}

}  // namespace
}  // namespace gradwire::experiment
