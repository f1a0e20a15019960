#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/half.h"
#include "tests/library/ranks.h"

/// Sums that were made right are never called wrong, whatever added them; NaN and infinities pass through
/// and are counted. That wrong ones are: tests/core/sum_check_test.cc, tests/library/pytorch/verification_test.py.
namespace gradwire::library {
namespace {

using testing::run_ranks;

gradwire_verified verified(gradwire_job* job) {
  gradwire_verified found{};
  EXPECT_EQ(gradwire_verify(job, &found), GRADWIRE_OK) << gradwire_error_text(job);
  return found;
}

/// Gradients of both signs and of many magnitudes, which round and cancel; others on every rank.
template <class T>
void sum_some(gradwire_job* job, gradwire_type type, std::size_t count, T (*convert)(double)) {
  std::mt19937 draw(static_cast<unsigned>(gradwire_rank(job)));
  std::normal_distribution<double> value;
  std::vector<T> gradient(count);
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] = convert(std::ldexp(value(draw), static_cast<int>(i % 10)));
  }
  EXPECT_EQ(gradwire_all_reduce(job, gradient.data(), count, type), GRADWIRE_OK)
      << gradwire_error_text(job);
}

template <class T>
T cast(double value) {
  return static_cast<T>(value);
}

Float16 to_half(double value) {
  return to_float16(static_cast<float>(value));
}

Bfloat16 to_brain(double value) {
  return to_bfloat16(static_cast<float>(value));
}

void sum_every_type(gradwire_job* job, std::size_t count) {
  sum_some<float>(job, GRADWIRE_FLOAT32, count, cast<float>);
  sum_some<double>(job, GRADWIRE_FLOAT64, count, cast<double>);
  sum_some<Float16>(job, GRADWIRE_FLOAT16, count, to_half);
  sum_some<Bfloat16>(job, GRADWIRE_BFLOAT16, count, to_brain);
  sum_some<std::int32_t>(job, GRADWIRE_INT32, count, cast<std::int32_t>);
  sum_some<std::int64_t>(job, GRADWIRE_INT64, count, cast<std::int64_t>);
}

void expect_nothing_wrong(std::size_t ranks, const testing::Options& options) {
  run_ranks(ranks, options, [&](gradwire_job* job) {
    sum_every_type(job, 1);
    sum_every_type(job, 40'001);
    const gradwire_verified found = verified(job);
    EXPECT_EQ(found.sums, 12U);
    EXPECT_EQ(found.elements, 6U * 40'002U);
    EXPECT_EQ(found.wrong, 0U);
    EXPECT_EQ(found.not_finite, 0U);
  });
}

TEST(Verification, FindsNothingWrongInEveryTypeOverARing) {
  expect_nothing_wrong(5, {"verify=1"});
}

TEST(Verification, FindsNothingWrongInOtherOrdersOfAdditions) {
  for (const std::string algorithm : {"bml", "ps", "double-tree"}) {
    SCOPED_TRACE(algorithm);
    expect_nothing_wrong(
        4, {"wiring=bcube(2,2)", "ports=lo,lo", "verify=1", "algorithm=" + algorithm});
  }
}

TEST(Verification, CountsNanAndInfinitiesThatPassThrough) {
  run_ranks(3, {"verify=1"}, [](gradwire_job* job) {
    std::vector<float> gradient(100, 1);
    const auto rank = static_cast<std::size_t>(gradwire_rank(job));
    gradient[10 * rank] = std::numeric_limits<float>::infinity();
    if (rank == 1) gradient[50] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(gradwire_all_reduce(job, gradient.data(), 100, GRADWIRE_FLOAT32), GRADWIRE_OK);
    EXPECT_TRUE(std::isinf(gradient[0]) && std::isinf(gradient[10]) && std::isinf(gradient[20]));
    EXPECT_TRUE(std::isnan(gradient[50]));
    const gradwire_verified found = verified(job);
    EXPECT_EQ(found.wrong, 0U);
    EXPECT_EQ(found.not_finite, 4U);
  });
}

// Of seven with 1 to 7 elements the first, the fourth and the seventh; broadcasts are not counted.
TEST(Verification, TakesEveryKthAllReduce) {
  run_ranks(2, {"verify=3"}, [](gradwire_job* job) {
    std::vector<float> gradient(7, 1);
    for (std::size_t count = 1; count <= 7; ++count) {
      EXPECT_EQ(gradwire_all_reduce(job, gradient.data(), count, GRADWIRE_FLOAT32), GRADWIRE_OK);
      EXPECT_EQ(gradwire_broadcast(job, gradient.data(), count, GRADWIRE_FLOAT32, 0), GRADWIRE_OK);
    }
    EXPECT_EQ(verified(job).elements, 1U + 4U + 7U);
    EXPECT_EQ(verified(job).sums, 3U) << "what was found stays";
  });
}

// A rank's part of an all-gather is 256 KiB at most.
TEST(Verification, TakesMoreThanOneAllGatherHas) {
  run_ranks(2, {"verify=1"}, [](gradwire_job* job) {
    sum_some<float>(job, GRADWIRE_FLOAT32, 200'000, cast<float>);
    EXPECT_EQ(verified(job).elements, 200'000U);
    EXPECT_EQ(verified(job).wrong, 0U);
  });
}

TEST(Verification, TakesWhatIsSummedBesideTheProgram) {
  run_ranks(2, {"verify=1"}, [](gradwire_job* job) {
    std::vector<float> gradient(10, 1);
    gradwire_request* request = nullptr;
    EXPECT_EQ(gradwire_start_all_reduce(job, gradient.data(), 10, GRADWIRE_FLOAT32, &request),
              GRADWIRE_OK);
    EXPECT_EQ(verified(job).elements, 10U);
    EXPECT_EQ(gradwire_wait(request), GRADWIRE_OK);
  });
}

TEST(Verification, HasNothingToSayUnlessItIsAskedFor) {
  run_ranks(2, {}, [](gradwire_job* job) {
    sum_every_type(job, 3);
    EXPECT_EQ(verified(job).sums, 0U);
    EXPECT_EQ(gradwire_verify(job, nullptr), GRADWIRE_INVALID);
  });
}

}  // namespace
}  // namespace gradwire::library
