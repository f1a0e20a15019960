#include "harness/run/point_record_maker.h"

#include <string>

#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"

namespace gradwire::run {
namespace {

using record::Backing;

/// What stands as the cut of four hosts' 1,000,000 elements at `rate`, without headers: S = 4 MB.
std::optional<Seconds> cut(const std::string& rate, const Expectations& expected) {
  const auto experiment = experiment::load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: " + rate +
          ", headers: none}\nwiring: single-switch(4)\nalgorithm: ring\nelements: 1000000\n",
      "x.yaml");
  const auto points = prepare(experiment, Backing::simulated);
  const record::PointRecord record =
      PointRecordMaker(experiment, 0).of(points.front(), 1, expected, {});
  return record.wiring ? std::optional(record.wiring->cut) : std::nullopt;
}

// A host's NIC carries 2 x 3/4 x 4 MB each way: 6 ms at 1 byte/ns. Of these a burst of 100 kB passes
// at once before every bucket; what is left after five buckets of 2 MB is nothing.
TEST(PointRecordMaker, TheCutIsLessABurstForEveryBucket) {
  const Expectations whole{.bounds = {Seconds(6e-3)}};
  EXPECT_NEAR(cut("8Gbit", whole)->count(), 6e-3, 1e-9);
  EXPECT_NEAR(cut("8Gbit", {.bounds = whole.bounds, .burst = 1e5})->count(), 5.9e-3, 1e-9);
  EXPECT_NEAR(cut("8Gbit", {.bounds = std::vector<Seconds>(3), .burst = 1e5})->count(), 5.7e-3, 1e-9);
  EXPECT_EQ(cut("8Gbit", {.bounds = std::vector<Seconds>(5), .burst = 2e6}), Seconds(0));
  EXPECT_NEAR(cut("8Gbit", {.burst = 1e5})->count(), 5.9e-3, 1e-9) << "bounds are not needed";
}

TEST(PointRecordMaker, WithoutARateThereIsNoCut) {
  EXPECT_FALSE(cut("unlimited", {.burst = 1e5}).has_value());
}

}  // namespace
}  // namespace gradwire::run
