#include "schedule/cost.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::schedule {
namespace {

TEST(Affine, IsAStartUpAndATimePerByte) {
  const Affine cost{.a = Seconds(5), .b = 0.25};
  EXPECT_EQ(cost.at(8), Seconds(7));
  EXPECT_EQ(time_of(cost, 8), Seconds(7));
  EXPECT_EQ(cost + (Affine{.a = Seconds(1), .b = 0.5}), (Affine{.a = Seconds(6), .b = 0.75}));
}

// Falls between 20 and 40 as measured collectives do where MPI changes its algorithm.
const CostTable kTable({{10, Seconds(1)}, {20, Seconds(5)}, {40, Seconds(3)}, {50, Seconds(4)}});

TEST(CostTable, ContainsItsPoints) {
  for (const TimedSize& point : kTable.points()) EXPECT_EQ(kTable.at(point.bytes), point.time);
}

TEST(CostTable, IsStraightBetweenPoints) {
  EXPECT_EQ(kTable.at(12.5), Seconds(2));
  EXPECT_EQ(kTable.at(35), Seconds(3.5));
  EXPECT_EQ(kTable.at(45), Seconds(3.5));
  EXPECT_EQ(time_of(kTable, 45), Seconds(3.5));
}

TEST(CostTable, TakesNoLessThanTheSmallestPoint) {
  EXPECT_EQ(kTable.at(1), Seconds(1));
  EXPECT_EQ(kTable.at(0), Seconds(1));
}

// Noise has made the last segment flat: along it, 100 bytes would cost 8 s.
TEST(CostTable, GoesOnAlongTheFittedLine) {
  const CostTable table({{10, Seconds(2)}, {20, Seconds(4)}, {40, Seconds(8)}, {50, Seconds(8)}});
  const Fit fit = fit_line(table.points());
  for (const double bytes : {51.0, 100.0, 1000.0}) {
    EXPECT_EQ(table.at(bytes), fit.line.at(bytes)) << bytes;
  }
  EXPECT_GT(table.at(100), Seconds(15));
  EXPECT_EQ(table.at(50), Seconds(8));
}

// The line through these passes below the last point.
TEST(CostTable, CostsNoLessThanItsLastPointBeyondIt) {
  const CostTable table({{10, Seconds(1)}, {20, Seconds(1)}, {30, Seconds(9)}});
  ASSERT_LT(fit_line(table.points()).line.at(31), Seconds(9));
  EXPECT_EQ(table.at(31), Seconds(9));
}

TEST(CostTable, OfOnePointGoesOnInProportion) {
  const CostTable table({{8, Seconds(2)}});
  EXPECT_EQ(table.at(4), Seconds(2));
  EXPECT_EQ(table.at(8), Seconds(2));
  EXPECT_EQ(table.at(12), Seconds(3));
}

TEST(CostTable, RefusesWhatIsNoTable) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<TimedSize>> wrong{
      {},
      {{20, Seconds(1)}, {10, Seconds(1)}},
      {{10, Seconds(1)}, {10, Seconds(2)}},
      {{0, Seconds(1)}},
      {{-1, Seconds(1)}},
      {{kInfinity, Seconds(1)}},
      {{kNan, Seconds(1)}},
      {{10, Seconds(0)}},
      {{10, Seconds(-1)}},
      {{10, Seconds(kInfinity)}},
      {{10, Seconds(kNan)}},
  };
  for (const auto& points : wrong) EXPECT_THROW((void)CostTable(points), InputError);
}

TEST(CostTable, NamesTheSizesThatDoNotRise) {
  try {
    (void)CostTable({{20, Seconds(1)}, {10, Seconds(1)}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a cost table's sizes must rise, but 10 B follows 20 B");
  }
}

TEST(FitLine, RecoversALine) {
  std::vector<TimedSize> points;
  for (const double bytes : {1.0, 2.0, 4.0, 64.0, 1024.0}) {
    points.push_back({bytes, Seconds(3 + 0.5 * bytes)});
  }
  const Fit fit = fit_line(points);
  EXPECT_DOUBLE_EQ(fit.line.a.count(), 3);
  EXPECT_DOUBLE_EQ(fit.line.b, 0.5);
  EXPECT_DOUBLE_EQ(fit.r_squared, 1);
}

// A network's magnitudes: 256 B to 64 MiB, 1 ms and 2 ns/B.
TEST(FitLine, RecoversALineOfMeasuredMagnitudes) {
  std::vector<TimedSize> points;
  for (double bytes = 256; bytes <= 1 << 26; bytes *= 4) {
    points.push_back({bytes, Seconds(1e-3 + 2e-9 * bytes)});
  }
  const Fit fit = fit_line(points);
  EXPECT_NEAR(fit.line.a.count(), 1e-3, 1e-12);
  EXPECT_NEAR(fit.line.b, 2e-9, 1e-18);
  EXPECT_NEAR(fit.r_squared, 1, 1e-12);
}

// Means (2.5, 5.5); S_xx = 5, S_xy = 9, S_yy = 17: slope 9/5, intercept 1, residuals .2, -.6, .6,
// -.2, their squares' sum 0.8, R^2 = 1 - 0.8/17.
TEST(FitLine, MeasuresHowWellALineFits) {
  const std::vector<TimedSize> points{
      {1, Seconds(3)}, {2, Seconds(4)}, {3, Seconds(7)}, {4, Seconds(8)}};
  const Fit fit = fit_line(points);
  EXPECT_DOUBLE_EQ(fit.line.b, 1.8);
  EXPECT_NEAR(fit.line.a.count(), 1, 1e-14);
  EXPECT_NEAR(fit.r_squared, 1 - 0.8 / 17, 1e-14);
}

// Free fit: slope 3, intercept -2. Through the origin: sum(xy) / sum(x^2) = (1 + 8 + 21) / 14;
// residuals -8/7, -2/7, 4/7: squares' sum 84/49; around the mean time 4: 9 + 0 + 9.
TEST(FitLine, CutsANegativeStartUp) {
  const std::vector<TimedSize> points{{1, Seconds(1)}, {2, Seconds(4)}, {3, Seconds(7)}};
  const Fit fit = fit_line(points);
  EXPECT_EQ(fit.line.a, Seconds(0));
  EXPECT_DOUBLE_EQ(fit.line.b, 30.0 / 14);
  EXPECT_NEAR(fit.r_squared, 1 - 84.0 / 49 / 18, 1e-14);
}

TEST(FitLine, CutsANegativeSlope) {
  const std::vector<TimedSize> points{{1, Seconds(3)}, {2, Seconds(2)}, {3, Seconds(1)}};
  const Fit fit = fit_line(points);
  EXPECT_EQ(fit.line, (Affine{.a = Seconds(2), .b = 0}));
  EXPECT_DOUBLE_EQ(fit.r_squared, 0);
}

TEST(FitLine, OfAConstantFitsWell) {
  const std::vector<TimedSize> points{{1, Seconds(3)}, {2, Seconds(3)}};
  const Fit fit = fit_line(points);
  EXPECT_EQ(fit.line, (Affine{.a = Seconds(3), .b = 0}));
  EXPECT_EQ(fit.r_squared, 1);
}

TEST(FitLine, NeedsTwoSizes) {
  EXPECT_THROW((void)fit_line({}), InputError);
  const std::vector<TimedSize> one_size{{8, Seconds(1)}, {8, Seconds(2)}};
  EXPECT_THROW((void)fit_line(one_size), InputError);
}

}  // namespace
}  // namespace gradwire::schedule
