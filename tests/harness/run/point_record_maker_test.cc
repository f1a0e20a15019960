#include "harness/run/point_record_maker.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"

namespace gradwire::run {
namespace {

using record::Backing;

/// What stands as the cut of four hosts' 1,000,000 elements at `rate`, without headers: S = 4 MB, of so
/// many buckets, before each of which a link lets `burst` bytes through at once.
std::optional<Seconds> cut(const std::string& rate, std::size_t buckets, double burst) {
  const auto experiment = experiment::load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: " + rate +
          ", headers: none}\nwiring: single-switch(4)\nalgorithm: ring\nelements: 1000000\n",
      "x.yaml");
  const auto points = prepare(experiment, Backing::simulated);
  const Expectations expected{
      .bounds = std::vector<Seconds>(buckets),
      .limits = {.payload = experiment::payload_rate(experiment), .burst = burst}};
  const record::PointRecord record =
      PointRecordMaker(experiment, 0).of(points.front(), 1, expected, {});
  return record.wiring ? std::optional(record.wiring->cut) : std::nullopt;
}

// A host's NIC carries 2 x 3/4 x 4 MB each way: 6 ms at 1 byte/ns, less 0.1 ms for every burst of 100 kB.
TEST(PointRecordMaker, TheCutIsLessABurstForEveryBucket) {
  EXPECT_NEAR(cut("8Gbit", 1, 0)->count(), 6e-3, 1e-9);
  EXPECT_NEAR(cut("8Gbit", 1, 1e5)->count(), 5.9e-3, 1e-9);
  EXPECT_NEAR(cut("8Gbit", 3, 1e5)->count(), 5.7e-3, 1e-9);
  EXPECT_NEAR(cut("8Gbit", 0, 1e5)->count(), 5.9e-3, 1e-9) << "a bound is not needed";
  EXPECT_EQ(cut("8Gbit", 5, 2e6), Seconds(0));
}

TEST(PointRecordMaker, WithoutARateThereIsNoCut) {
  EXPECT_FALSE(cut("unlimited", 1, 1e5).has_value());
}

}  // namespace
}  // namespace gradwire::run
