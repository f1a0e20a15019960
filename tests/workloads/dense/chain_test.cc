#include "workloads/dense/chain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "workloads/dense/values.h"

/// Convolutions and fully connected layers in plain loops: forwards by hand, backwards by differences.
namespace gradwire::dense {
namespace {

using ::testing::ElementsAre;

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, std::size_t which) {
  std::vector<float> numbers(count);
  fill_errors({.seed = 7, .iteration = which}, 0, numbers);
  return {numbers.begin(), numbers.end()};
}

// y(i, j) = sum over c, a, b of w(c, a, b) x(c, i + a, j + b): a window of 2 x 2 on two channels of 3 x 3.
TEST(Chain, AConvolutionSlidesItsWindow) {
  const Chain chain{{{.channels = 2, .side = 3, .outputs = 1, .kernel = 2}}, false};
  EXPECT_EQ(chain.weights(), 8u);
  EXPECT_EQ(chain.outputs(), 4u);
  const Numbers weights{1, 10, 100, 1000, 0, 0, 0, 10000};
  Pass<double> pass(chain, weights);
  const Numbers image{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1, 2, 0, 3, 4};
  EXPECT_THAT(pass.forward(image), ElementsAre(15421, 26532, 38754, 49865));
}

// A kernel as large as its images makes a matrix of the weights: y = W x.
TEST(Chain, AWindowOfAllIsAProduct) {
  const Chain chain{{{.channels = 1, .side = 2, .outputs = 2, .kernel = 2}}, false};
  const Numbers weights{1, 2, 3, 4, 5, 6, 7, 8};
  Pass<double> pass(chain, weights);
  EXPECT_THAT(pass.forward(Numbers{1, 1, 1, 1, 1, 0, 0, -1}), ElementsAre(10, 26, -3, -3));
}

TEST(Chain, ARectifierFollowsEachLayer) {
  Chain chain{{{.channels = 1, .side = 1, .outputs = 2, .kernel = 1},
               {.channels = 2, .side = 1, .outputs = 1, .kernel = 1}},
              false};
  const Numbers weights{1, -1, 1, -3};
  EXPECT_THAT(Pass<double>(chain, weights).forward(Numbers{2, -2}), ElementsAre(2, -6));
  chain.ends_with_rectifier = true;
  EXPECT_THAT(Pass<double>(chain, weights).forward(Numbers{2, -2}), ElementsAre(2, 0));
}

// dL/dw = (L(w + h) - L(w - h)) / 2h for L = sum of e y, for every weight and everything that comes in.
TEST(Chain, GradientsAreThoseOfDifferences) {
  const Chain chain{{{.channels = 2, .side = 5, .outputs = 3, .kernel = 3},
                     {.channels = 3, .side = 3, .outputs = 4, .kernel = 2},
                     {.channels = 4, .side = 2, .outputs = 3, .kernel = 2}},
                    false};
  Numbers weights = random_numbers(chain.weights(), 1);
  Numbers samples = random_numbers(3 * chain.inputs(), 2);
  const Numbers errors = random_numbers(3 * chain.outputs(), 3);
  Numbers gradient(weights.size(), 100);  // it is added to
  Pass<double> pass(chain, weights);
  static_cast<void>(pass.forward(samples));
  const auto back = pass.backward(errors, gradient);
  const Numbers of_inputs(back.begin(), back.end());
  const auto loss = [&] {
    Pass<double> other(chain, weights);
    const auto outputs = other.forward(samples);
    return std::inner_product(outputs.begin(), outputs.end(), errors.begin(), 0.0);
  };
  const auto slope = [&](double& at) {
    constexpr double kStep = 1e-6;
    const double middle = at;
    at = middle + kStep;
    const double above = loss();
    at = middle - kStep;
    const double below = loss();
    at = middle;
    return (above - below) / (2 * kStep);
  };
  double largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(gradient[i] - 100, slope(weights[i]), 1e-8) << i;
    largest = std::max(largest, std::abs(gradient[i] - 100));
  }
  EXPECT_GT(largest, 0.01) << "rectifiers let something through";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_NEAR(of_inputs[i], slope(samples[i]), 1e-8) << i;
  }
}

// A sample has the same bits by itself as among others.
TEST(Chain, SamplesDoNotKnowOfEachOther) {
  const Chain chain{{{.channels = 2, .side = 6, .outputs = 5, .kernel = 3}}, true};
  std::vector<float> weights(chain.weights());
  std::vector<float> samples(5 * chain.inputs());
  fill_errors({.seed = 1}, 0, weights);
  fill_errors({.seed = 2}, 0, samples);
  Pass<float> all(chain, weights);
  const auto together = all.forward(samples);
  for (std::size_t s = 0; s < 5; ++s) {
    Pass<float> one(chain, weights);
    const auto alone = one.forward(std::span(samples).subspan(s * chain.inputs(), chain.inputs()));
    EXPECT_TRUE(std::ranges::equal(alone, together.subspan(s * alone.size(), alone.size()))) << s;
  }
}

TEST(Chain, OtherSizesAreRefused) {
  const Chain chain{{{.channels = 1, .side = 2, .outputs = 1, .kernel = 2}}, false};
  EXPECT_THROW(Pass<double>(chain, Numbers(3)), InternalError);
  const Numbers weights(4);
  Pass<double> pass(chain, weights);
  EXPECT_THROW(static_cast<void>(pass.forward(Numbers(5))), InternalError);
  static_cast<void>(pass.forward(Numbers(8)));
  Numbers gradient(4);
  EXPECT_THROW(static_cast<void>(pass.backward(Numbers(1), gradient)), InternalError);
  EXPECT_THROW(static_cast<void>(pass.backward(Numbers(2), std::span(gradient).first(3))),
               InternalError);
}

}  // namespace
}  // namespace gradwire::dense
