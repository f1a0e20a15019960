#include "core/sum_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/rounding.h"
#include "core/with_type.h"

/// What is called a wrong sum: |s - sum of x| > (n-1) u / (1 - (n-1) u) * sum of |x|, and what follows
/// from infinities and NaN.
namespace gradwire {
namespace {

Dtype type_of(float) {
  return Dtype::float32;
}
Dtype type_of(double) {
  return Dtype::float64;
}
Dtype type_of(Float16) {
  return Dtype::float16;
}
Dtype type_of(Bfloat16) {
  return Dtype::bfloat16;
}
Dtype type_of(std::int32_t) {
  return Dtype::int32;
}
Dtype type_of(std::int64_t) {
  return Dtype::int64;
}

float plus(float a, float b) {
  return a + b;
}
double plus(double a, double b) {
  return a + b;
}
Float16 plus(Float16 a, Float16 b) {
  return to_float16(to_float(a) + to_float(b));
}
Bfloat16 plus(Bfloat16 a, Bfloat16 b) {
  return to_bfloat16(to_float(a) + to_float(b));
}

template <class T>
T rounded(double value) {
  return static_cast<T>(value);
}
template <>
Float16 rounded(double value) {
  return to_float16(static_cast<float>(value));
}
template <>
Bfloat16 rounded(double value) {
  return to_bfloat16(static_cast<float>(value));
}

template <class T>
Elements elements_of(std::vector<T>& values) {
  return {std::as_writable_bytes(std::span(values)), type_of(T{})};
}

/// What is found of one sum of these terms.
template <class T>
SumFindings found_of(std::vector<T> terms, T sum) {
  std::vector<Elements> views;
  for (T& term : terms)
    views.emplace_back(std::as_writable_bytes(std::span(&term, 1)), type_of(T{}));
  std::vector<T> sums{sum};
  return check_sums(views, elements_of(sums));
}

template <class T>
bool is_wrong(const std::vector<T>& terms, T sum) {
  return found_of(terms, sum).wrong == 1;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Adds terms in an order that is drawn: any two that are left, until one is.
template <class T>
T in_any_order(std::vector<T> terms, std::mt19937& draw) {
  while (terms.size() > 1) {
    std::ranges::shuffle(terms, draw);
    const T last = terms.back();
    terms.pop_back();
    terms.back() = plus(terms.back(), last);
  }
  return terms.front();
}

template <class T>
class RightSums : public ::testing::Test {};
using Reals = ::testing::Types<float, double, Float16, Bfloat16>;
TYPED_TEST_SUITE(RightSums, Reals, );

// Terms of many magnitudes and both signs, so that rounding and cancellation are large.
TYPED_TEST(RightSums, AreNeverCalledWrongInAnyOrderOfAdditions) {
  std::mt19937 draw(19);
  std::normal_distribution<double> value;
  std::uniform_int_distribution<int> exponent(-12, 4);
  for (const std::size_t count : {2, 3, 9, 64}) {
    for (int i = 0; i < 2000; ++i) {
      std::vector<TypeParam> terms(count);
      for (TypeParam& term : terms) {
        term = rounded<TypeParam>(std::ldexp(value(draw), exponent(draw)));
      }
      ASSERT_FALSE(is_wrong(terms, in_any_order(terms, draw))) << count << " terms, case " << i;
    }
  }
}

// Sums of 2 and more numbers of about 1 miss more than the bound when a term is not there.
TYPED_TEST(RightSums, WithATermLeftOutOrTwiceAreWrong) {
  for (const std::size_t count : {2, 9, 14}) {
    const std::vector<TypeParam> terms(count, rounded<TypeParam>(1));
    const auto n = static_cast<double>(count);
    EXPECT_FALSE(is_wrong(terms, rounded<TypeParam>(n)));
    EXPECT_TRUE(is_wrong(terms, rounded<TypeParam>(n - 1))) << count;
    EXPECT_TRUE(is_wrong(terms, rounded<TypeParam>(n + 1))) << count;
  }
}

// 1 + 1 in float32: the bound is u * 2 = 2^-23. Numbers below 2 are 2^-23 apart, those above 2^-22.
TEST(SumCheck, OfTwoTermsAllowsOneRounding) {
  const std::vector<float> ones{1, 1};
  EXPECT_FALSE(is_wrong(ones, 2.0F - 0x1p-23F));
  EXPECT_TRUE(is_wrong(ones, 2.0F - 0x1p-22F));
  EXPECT_TRUE(is_wrong(ones, 2.0F + 0x1p-22F));
}

// The bound goes by magnitudes: 1 - 1 is off by 2^-24 * 2 at most, and by so much it may be.
TEST(SumCheck, OfWhatCancelsGoesByMagnitudes) {
  EXPECT_FALSE(is_wrong<float>({1, -1}, 0x1p-23F));
  EXPECT_TRUE(is_wrong<float>({1, -1}, 0x1.1p-23F));
}

TEST(SumCheck, InDoublePrecisionAllowsForTheReferencesOwnRounding) {
  EXPECT_FALSE(is_wrong<double>({1, 1}, 2.0 + 0x1p-51));
  EXPECT_TRUE(is_wrong<double>({1, 1}, 2.0 + 0x1p-49));
}

TEST(SumCheck, OfOneTermIsTheTerm) {
  EXPECT_FALSE(is_wrong<float>({0.1F}, 0.1F));
  EXPECT_TRUE(is_wrong<float>({0.1F}, std::nextafter(0.1F, 1.0F)));
}

TEST(SumCheck, NanAndInfinityPassThrough) {
  EXPECT_EQ(found_of<float>({1, kNan}, kNan),
            (SumFindings{.checked = 1, .wrong = 0, .not_finite = 1}));
  EXPECT_EQ(found_of<float>({1, kInfinity}, kInfinity),
            (SumFindings{.checked = 1, .wrong = 0, .not_finite = 1}));
  EXPECT_FALSE(is_wrong<float>({-kInfinity, 1, 2}, -kInfinity));
  EXPECT_FALSE(is_wrong<float>({-kInfinity, kInfinity}, kNan));
}

TEST(SumCheck, NanAndInfinityThatAreLostAreWrong) {
  EXPECT_EQ(found_of<float>({1, kNan}, 1), (SumFindings{.checked = 1, .wrong = 1}));
  EXPECT_TRUE(is_wrong<float>({1, kNan}, kInfinity));
  EXPECT_TRUE(is_wrong<float>({1, kInfinity}, 1));
  EXPECT_TRUE(is_wrong<float>({1, kInfinity}, -kInfinity));
  EXPECT_TRUE(is_wrong<float>({1, kInfinity}, kNan));
  EXPECT_TRUE(is_wrong<float>({-kInfinity, kInfinity}, kInfinity));
}

TEST(SumCheck, NanAndInfinityOfNowhereAreWrongAndCounted) {
  const SumFindings both{.checked = 1, .wrong = 1, .not_finite = 1};
  EXPECT_EQ(found_of<float>({1, 2}, kNan), both);
  EXPECT_EQ(found_of<float>({1, 2}, kInfinity), both);
}

// 60000 + 60000 is beyond 65504, but 60000 - 60000 + 60000 is not.
TEST(SumCheck, MayLeaveTheRangeOnTheWay) {
  const auto half = [](float value) { return to_float16(value); };
  const std::vector<Float16> above{half(60000), half(60000), half(-60000)};
  EXPECT_FALSE(is_wrong(above, half(60000)));
  EXPECT_FALSE(is_wrong(above, half(kInfinity)));
  EXPECT_TRUE(is_wrong(above, half(-kInfinity)));
  EXPECT_TRUE(is_wrong(above, half(kNan)));
  const std::vector<Float16> both{half(60000), half(60000), half(-60000), half(-60000)};
  EXPECT_FALSE(is_wrong(both, half(kNan))) << "infinity of two less that of two";
  EXPECT_FALSE(is_wrong(both, half(-kInfinity)));
  EXPECT_FALSE(is_wrong<Float16>({half(kInfinity), half(-60000), half(-60000)}, half(kNan)));
}

template <class T>
void expect_exact(T one, T other, T sum) {
  EXPECT_FALSE(is_wrong<T>({one, other}, sum));
  EXPECT_EQ(found_of<T>({one, other}, static_cast<T>(sum + 1)),
            (SumFindings{.checked = 1, .wrong = 1}));
}

TEST(SumCheck, OfWholeNumbersIsExactAndWraps) {
  expect_exact<std::int32_t>(3, -5, -2);
  expect_exact<std::int64_t>(std::int64_t{1} << 60, 1, (std::int64_t{1} << 60) + 1);
  expect_exact(std::numeric_limits<std::int32_t>::max(), 1,
               std::numeric_limits<std::int32_t>::min());
}

TEST(SumCheck, CountsEveryElement) {
  std::vector<float> first{1, 2, kNan, 4};
  std::vector<float> second{1, 2, 3, kInfinity};
  std::vector<float> sums{2, 5, kNan, kInfinity};
  const std::vector<Elements> terms{elements_of(first), elements_of(second)};
  SumFindings found = check_sums(terms, elements_of(sums));
  EXPECT_EQ(found, (SumFindings{.checked = 4, .wrong = 1, .not_finite = 2}));
  found += found;
  EXPECT_EQ(found, (SumFindings{.checked = 8, .wrong = 2, .not_finite = 4}));
}

TEST(SumCheck, RefusesTermsOfAnotherKind) {
  std::vector<float> two{1, 2};
  std::vector<float> one{1};
  std::vector<std::int32_t> whole{1};
  const auto check = [](const Elements& term, const Elements& sum) {
    static_cast<void>(check_sums(std::vector<Elements>{term}, sum));
  };
  EXPECT_THROW(check(elements_of(two), elements_of(one)), InternalError);
  EXPECT_THROW(check(elements_of(whole), elements_of(one)), InternalError);
  EXPECT_THROW(static_cast<void>(check_sums({}, elements_of(one))), InternalError);
}

TEST(Rounding, IsUnboundedWhereNothingIsKnown) {
  EXPECT_EQ(rounding_bound(0, 0x1p-8), 0);
  EXPECT_EQ(rounding_bound(128, 0x1p-8), 1) << "(1/2) / (1 - 1/2)";
  EXPECT_EQ(rounding_bound(256, 0x1p-8), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace gradwire
