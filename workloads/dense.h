#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/model.h"

/// Fully connected layers as a workload of their own, with the factors of their gradients and not
/// only the number of elements. The letters are those of Late-multiply (2017), section 2.1: a layer
/// has N inputs and K outputs, a worker M samples; X is M x N, E is M x K, and the gradient W = E^T
/// X is K x N.
namespace gradwire::workloads {

/// A fully connected layer. Its bias is left out, as in the paper.
struct DenseLayer {
  std::string name;         ///< "fc6"; empty for a layer that is given by its sizes
  std::size_t inputs = 0;   ///< N
  std::size_t outputs = 0;  ///< K

  /// The number of the gradient's elements, K N.
  [[nodiscard]] std::size_t weights() const { return outputs * inputs; }
};

/// The layers whose gradients are synchronized together, and a worker's number of samples.
struct DenseStack {
  std::vector<DenseLayer> layers;  ///< at least one, in forward order
  std::size_t samples = 0;         ///< M, samples of one worker and iteration

  /// The elements that an all-reduce sums: K N of all layers together.
  [[nodiscard]] std::size_t weights() const;
  /// The elements that a worker contributes to late-multiply: M (N + K) of all layers together.
  [[nodiscard]] std::size_t values() const;
};

/// Whether a tensor holds the weights of a fully connected layer that every sample passes once. The
/// last layer of a transformer is passed for every word, and a table of words is looked up; they do
/// not count.
[[nodiscard]] bool is_fully_connected(const Tensor& tensor);

/// The largest number of inputs, outputs or samples.
inline constexpr std::size_t kMostDense = 1'000'000;

/// Whether a workload is written as dense(...), right or wrong.
[[nodiscard]] bool is_dense(std::string_view workload);

/// Reads "dense(inputs=9216, outputs=4096, samples=64)", or "dense(model=alexnet, samples=64)" for
/// all fully connected layers of a model, or "dense(layer=fc6, model=alexnet, samples=64)" for one
/// of them. Throws InputError, without a place, for any other text, and for an unknown model or
/// layer.
[[nodiscard]] DenseStack parse_dense(std::string_view workload);

/// The inputs and outputs of each layer, without the samples: "9216x4096 4096x4096 4096x1000".
[[nodiscard]] std::string layers_text(const DenseStack& stack);

}  // namespace gradwire::workloads
