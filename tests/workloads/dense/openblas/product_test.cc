#include "workloads/dense/openblas/product.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::dense::openblas {
namespace {

// A is 3 x 2, B is 3 x 4; small whole numbers, so that every sum is exact.
const std::vector<float> kA = {1, 2, 3, 4, 5, 6};
const std::vector<float> kB = {1, 0, 2, 7, 0, 1, 3, 5, 1, 1, 0, 3};
// W = A^T B: W[k][j] = sum over samples m of A[m][k] B[m][j].
const std::vector<float> kW = {6, 8, 11, 37, 8, 10, 16, 52};
constexpr Shape kShape{.samples = 3, .rows = 2, .columns = 4, .stride = 2};

TEST(Product, IsTheTransposedTimesTheOther) {
  std::vector<float> w(8, 99);
  multiply(kShape, kA, kB, w, {});
  EXPECT_EQ(w, kW);
}

TEST(Product, IsScaledAndAdded) {
  std::vector<float> w(8, 100);
  multiply(kShape, kA, kB, w, {.factor = 0.5F, .adds = true});
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_EQ(w[i], 100 + kW[i] / 2) << i;
}

TEST(Product, TakesSomeColumnsOfALargerMatrix) {
  // The columns 1 and 2 of a 3 x 4 matrix.
  const std::vector<double> larger = {9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6, 9};
  const std::vector<double> b(kB.begin(), kB.end());
  std::vector<double> w(8, 99);
  multiply({.samples = 3, .rows = 2, .columns = 4, .stride = 4}, std::span(larger).subspan(1), b,
           w);
  EXPECT_EQ(w, std::vector<double>(kW.begin(), kW.end()));
}

TEST(Product, SpansOfOtherSizesAreABug) {
  std::vector<float> w(8);
  const std::span<const float> a(kA);
  const std::span<const float> b(kB);
  EXPECT_THROW(multiply(kShape, a.first(5), b, w, {}), InternalError);
  EXPECT_THROW(multiply(kShape, a, b.first(11), w, {}), InternalError);
  EXPECT_THROW(multiply(kShape, a, b, std::span(w).first(7), {}), InternalError);
  EXPECT_THROW(multiply({.samples = 3, .rows = 2, .columns = 4, .stride = 1}, a, b, w, {}),
               InternalError);
  EXPECT_THROW(multiply({.rows = 2, .columns = 4, .stride = 2}, a, b, w, {}), InternalError);
}

}  // namespace
}  // namespace gradwire::dense::openblas
