#include "workloads/dense/hybrid_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::dense {
namespace {

const HybridNetwork kNetwork{
    .replicated = {{{.side = 4, .outputs = 3, .kernel = 2}}},
    .stack = {{{.channels = 3, .side = 3, .outputs = 2, .kernel = 3}}, false},
    .rate = 0.5,
    .decay = 0.25};

/// sum |y - t|^2 / (2 B) + decay |w|^2 / 2
double loss(const Weights<double>& weights, const Batch<double>& batch) {
  Pass<double> replicated(kNetwork.replicated, weights.replicated);
  Pass<double> stack(kNetwork.stack, weights.stack);
  const auto outputs = stack.forward(replicated.forward(batch.samples));
  double sum = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    sum += std::pow(outputs[i] - batch.targets[i], 2);
  sum /= static_cast<double>(outputs.size() / kNetwork.stack.outputs());
  for (const double weight : weights.replicated) sum += kNetwork.decay * weight * weight;
  for (const double weight : weights.stack) sum += kNetwork.decay * weight * weight;
  return sum / 2;
}

// w' = w - rate dL/dw, and dL/dw is (L(w + h) - L(w - h)) / 2h.
TEST(HybridStep, ASingleDeviceDescends) {
  Weights<double> weights = make_weights<double>(kNetwork, {.seed = 3});
  const Batch<double> batch = make_batch<double>(kNetwork, 6, {.seed = 4});
  const Weights<double> after = single_device_step(kNetwork, weights, batch, 1);
  const auto slope = [&](double& at) {
    constexpr double kStep = 1e-6;
    const double middle = at;
    at = middle + kStep;
    const double above = loss(weights, batch);
    at = middle - kStep;
    const double below = loss(weights, batch);
    at = middle;
    return (above - below) / (2 * kStep);
  };
  const auto compare = [&](std::vector<double>& before, const std::vector<double>& then) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(then[i], before[i] - 0.5 * slope(before[i]), 1e-8) << i;
    }
  };
  compare(weights.replicated, after.replicated);
  compare(weights.stack, after.stack);
  EXPECT_LT(loss(after, batch), 0.9 * loss(weights, batch));
}

// Parts of the batch, each with its share of the decay, add up to the whole.
TEST(HybridStep, PartsAddUp) {
  const Weights<double> weights = make_weights<double>(kNetwork, {.seed = 3});
  const Batch<double> batch = make_batch<double>(kNetwork, 6, {.seed = 4});
  const Weights<double> whole = single_device_step(kNetwork, weights, batch, 1);
  for (const std::size_t parts : {2u, 3u, 6u}) {
    const Weights<double> sum = single_device_step(kNetwork, weights, batch, parts);
    EXPECT_EQ(sum.stack, whole.stack) << parts;
    for (std::size_t i = 0; i < sum.replicated.size(); ++i) {
      EXPECT_NEAR(sum.replicated[i], whole.replicated[i], 1e-12) << parts;
    }
  }
  EXPECT_THROW(static_cast<void>(single_device_step(kNetwork, weights, batch, 4)), InternalError);
}

TEST(HybridStep, NumbersAreReproducibleAndOfBothSigns) {
  const Weights<double> weights = make_weights<double>(kNetwork, {.seed = 3});
  EXPECT_EQ(make_weights<double>(kNetwork, {.seed = 3}).stack, weights.stack);
  EXPECT_NE(make_weights<double>(kNetwork, {.seed = 5}).stack, weights.stack);
  const Weights<float> floats = make_weights<float>(kNetwork, {.seed = 3});
  for (std::size_t i = 0; i < floats.stack.size(); ++i) {
    EXPECT_EQ(floats.stack[i], static_cast<float>(weights.stack[i]));
    EXPECT_LE(std::abs(weights.stack[i]), 1 / std::sqrt(27.0));
  }
  EXPECT_LT(std::ranges::min(weights.stack), 0);
  EXPECT_GT(std::ranges::max(weights.stack), 0);
  const Batch<double> batch = make_batch<double>(kNetwork, 2, {.seed = 3});
  EXPECT_EQ(batch.samples.size(), 2u * 16);
  EXPECT_EQ(batch.targets.size(), 2u * 2);
  EXPECT_LT(std::ranges::min(batch.samples), 0);
}

}  // namespace
}  // namespace gradwire::dense
