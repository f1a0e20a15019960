#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/extent.h"

/// The models that training jobs synchronize. Each has a JSON table in this folder, which names its
/// source.
namespace gradwire::workloads {

/// A tensor of parameters, whose gradient is synchronized.
struct Tensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t elements = 0;
  /// The multiply-adds of one sample's forward pass that read this tensor: for a normalization's
  /// weight one per activation, for a bias none.
  std::uint64_t forward_macs = 0;

  /// Whether the tensor works on activations: the weight of a batch or layer normalization.
  [[nodiscard]] bool is_norm() const { return shape.size() == 1 && forward_macs > 0; }
};

/// A model's parameters, and the arithmetic of its forward pass.
struct Model {
  std::string name;
  std::string source;              ///< source of the table
  std::string note;                ///< may be empty
  std::vector<std::size_t> input;  ///< shape of one sample's input, batch 1 first
  std::vector<Tensor> tensors;     ///< in forward order
  /// The multiply-adds of one sample's forward pass that read no tensor, such as attention scores.
  std::uint64_t other_forward_macs = 0;

  /// The number of elements of all tensors together.
  [[nodiscard]] std::size_t elements() const;
  /// The multiply-adds of convolutions and matrix products, without norms and without `other`.
  [[nodiscard]] std::uint64_t dense_forward_macs() const;
};

/// Reads a model's table. Throws InputError, which lists the models, for an unknown one.
[[nodiscard]] Model load_model(std::string_view name);

/// The names that load_model() knows, in alphabetical order.
[[nodiscard]] std::vector<std::string> model_names();

/// The extent of each tensor's gradient in the buffer: in backward order, the last tensor from
/// element 0, so that tensors that become ready one after the other lie side by side and merging
/// them copies nothing. Extent i is that of the i-th tensor from the end.
[[nodiscard]] std::vector<Extent> extents_of(const Model& model);

}  // namespace gradwire::workloads
