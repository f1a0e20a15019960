#include "workloads/dense/deviation.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/workloads/dense/averages.h"

namespace gradwire::dense {
namespace {

std::vector<Rank> first_ranks(std::size_t count) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < count; ++i) ranks.emplace_back(i);
  return ranks;
}

Deviation from_average_of(std::size_t workers, std::span<const float> average,
                          std::size_t iteration = 0) {
  const std::vector<Rank> ranks = first_ranks(workers);
  return deviation({.stack = kStack, .workers = ranks, .seed = kSeed, .iteration = iteration},
                   average);
}

TEST(Deviation, OfBothAlgorithmsIsRounding) {
  for (const std::size_t workers : {1u, 2u, 3u, 5u}) {
    for (const auto& average : {summed_products(workers), late_products(workers)}) {
      const Deviation found = from_average_of(workers, average);
      EXPECT_EQ(found.wrong, 0u) << workers;
      EXPECT_GT(found.relative.value(), 0) << "real numbers are rounded";
      EXPECT_LT(found.relative.value(), 1e-6) << workers;
    }
  }
}

// R by plain loops, rounded once to float32: off by at most 2^-24 of each element, so that the
// reference is not the product that it judges.
TEST(Deviation, OfTheLoopsIsOneRounding) {
  const std::vector<double> loops = looped(3);
  const std::vector<float> rounded(loops.begin(), loops.end());
  const Deviation found = from_average_of(3, rounded);
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_LT(found.relative.value(), 0x1p-24);
}

// |W - R| is what was added to one element, but for rounding.
TEST(Deviation, IsRelativeToTheWorstLayersNorm) {
  const std::vector<double> loops = looped(2);
  std::vector<float> average(loops.begin(), loops.end());
  const std::size_t second = kStack.layers[0].weights();  // the second layer's first weight
  double norm = 0;
  for (std::size_t i = second; i < loops.size(); ++i) norm += loops[i] * loops[i];
  average[second] += 8;
  const Deviation found = from_average_of(2, average);
  EXPECT_EQ(found.wrong, 1u);
  EXPECT_NEAR(found.relative.value(), 8 / std::sqrt(norm), 1e-6);
}

// m = M + n + 2 = 37 roundings; sum |e x| / n is at most |E_k| |X_j| / n, here about 33 / 6.
TEST(Deviation, AnElementBeyondItsRoundingIsWrong) {
  const std::vector<double> loops = looped(2);
  std::vector<float> average(loops.begin(), loops.end());
  average[5] += 4e-6F;
  EXPECT_EQ(from_average_of(2, average).wrong, 0u);
  average[5] += 3e-5F;
  EXPECT_EQ(from_average_of(2, average).wrong, 1u);
}

TEST(Deviation, AnotherIterationsOrAnotherGroupsAverageIsWrong) {
  const std::size_t all = kStack.weights();
  EXPECT_GT(from_average_of(3, late_products(3), 1).wrong, all * 99 / 100);
  EXPECT_GT(from_average_of(3, late_products(2)).wrong, all * 99 / 100);
  std::vector<float> sum = late_products(3);
  for (float& element : sum) element *= 3;
  EXPECT_GT(from_average_of(3, sum).wrong, all * 99 / 100);
}

TEST(Deviation, WhatIsNoNumberIsWrong) {
  std::vector<float> average = late_products(2);
  average[17] = std::numeric_limits<float>::quiet_NaN();
  average[18] = std::numeric_limits<float>::infinity();
  const Deviation found = from_average_of(2, average);
  EXPECT_EQ(found.wrong, 2u);
  EXPECT_FALSE(found.relative);
}

TEST(Deviation, OfNobodyOrAnotherSizeIsABug) {
  const std::vector<float> average(kStack.weights());
  EXPECT_THROW(static_cast<void>(from_average_of(0, average)), InternalError);
  EXPECT_THROW(static_cast<void>(from_average_of(1, std::span(average).first(3))), InternalError);
}

// 8 (n M (N + K) + 128 N) of the largest layer, and a worker's larger matrix as float32.
TEST(Deviation, StatesItsMemory) {
  EXPECT_EQ(deviation_bytes(kStack, 3), 8.0 * (3 * 33 * (150 + 130) + 128 * 150) + 4.0 * 33 * 150);
}

}  // namespace
}  // namespace gradwire::dense
