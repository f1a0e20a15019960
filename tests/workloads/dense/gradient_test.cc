#include "workloads/dense/gradient.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/workloads/dense/averages.h"

namespace gradwire::dense {
namespace {

/// |a - b| / |b|, by Frobenius norms.
template <class Other>
double relative(const std::vector<float>& a, const std::vector<Other>& b) {
  double off = 0;
  double all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    off += difference * difference;
    all += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(off / all);
}

class GradientOfWorkers : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, GradientOfWorkers, ::testing::Values(1, 2, 3, 5));

// Late-multiply (2017), section 2.1: W_avg = 1/n sum_i E_i^T X_i, whoever multiplies.
TEST_P(GradientOfWorkers, BothAlgorithmsHaveTheSameAverage) {
  const std::vector<float> first = summed_products(GetParam());
  const std::vector<float> second = late_products(GetParam());
  EXPECT_LT(relative(first, second), 1e-6);
  const std::vector<double> loops = looped(GetParam());
  EXPECT_LT(relative(first, loops), 1e-6);
  EXPECT_LT(relative(second, loops), 1e-6);
}

TEST(Gradient, OfOneWorkerIsTheSameToTheBit) {
  EXPECT_EQ(summed_products(1), late_products(1));
}

TEST(Gradient, AShareOrGradientOfAnotherSizeIsABug) {
  std::vector<float> share(kStack.values());
  std::vector<float> gradient(kStack.weights());
  const std::span<float> all(gradient);
  EXPECT_THROW(form_products(kStack, share, all.first(all.size() - 1), {}), InternalError);
  share.pop_back();
  EXPECT_THROW(form_products(kStack, share, all, {}), InternalError);
}

}  // namespace
}  // namespace gradwire::dense
