#pragma once

#include <cstddef>
#include <vector>

#include "workloads/dense/gradient.h"
#include "workloads/dense/values.h"

/// Averages of a small job's gradients, by both algorithms of the paper and by plain loops.
namespace gradwire::dense {

inline const workloads::DenseStack kStack{
    .layers = {{.inputs = 150, .outputs = 130}, {.inputs = 130, .outputs = 7}}, .samples = 33};
inline constexpr std::uint64_t kSeed = 7;

/// What `rank` has in an iteration.
inline std::vector<float> share_of(Rank rank, std::size_t iteration = 0) {
  std::vector<float> share(kStack.values());
  fill_share({.seed = kSeed, .iteration = iteration, .rank = rank}, kStack, share);
  return share;
}

/// Algorithm 1: every worker forms its product, and the products are added.
inline std::vector<float> summed_products(std::size_t workers, std::size_t iteration = 0) {
  std::vector<float> sum(kStack.weights());
  for (std::size_t i = 0; i < workers; ++i) {
    std::vector<float> gradient(kStack.weights(), -1);
    form_products(kStack, share_of(Rank(i), iteration), gradient, {.workers = workers});
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += gradient[j];
  }
  return sum;
}

/// Algorithm 2: a worker that has everybody's share forms all products.
inline std::vector<float> late_products(std::size_t workers, std::size_t iteration = 0) {
  std::vector<float> gradient(kStack.weights(), -1);
  for (std::size_t i = 0; i < workers; ++i) {
    form_products(kStack, share_of(Rank(i), iteration), gradient,
                  {.workers = workers, .adds = i > 0});
  }
  return gradient;
}

/// W[k][j] = 1/n times the sum of E[m][k] X[m][j] over all samples m of all workers, in double
/// precision.
inline std::vector<double> looped(std::size_t workers, std::size_t iteration = 0) {
  std::vector<double> average(kStack.weights());
  for (std::size_t i = 0; i < workers; ++i) {
    const std::vector<float> share = share_of(Rank(i), iteration);
    std::size_t inputs = 0;
    std::size_t weights = 0;
    for (const workloads::DenseLayer& layer : kStack.layers) {
      const std::size_t errors = inputs + kStack.samples * layer.inputs;
      for (std::size_t m = 0; m < kStack.samples; ++m) {
        for (std::size_t k = 0; k < layer.outputs; ++k) {
          const double error = share[errors + m * layer.outputs + k];
          for (std::size_t j = 0; j < layer.inputs; ++j) {
            average[weights + k * layer.inputs + j] +=
                error * share[inputs + m * layer.inputs + j] / static_cast<double>(workers);
          }
        }
      }
      inputs = errors + kStack.samples * layer.outputs;
      weights += layer.weights();
    }
  }
  return average;
}

}  // namespace gradwire::dense
