#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/extent.h"

/// What a training job synchronizes. One JSON table per model in this folder; each names its
/// source.
namespace gradwire::workloads {

struct Tensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t elements = 0;
};

struct Model {
  std::string name;
  std::string source;           ///< where the table comes from
  std::vector<Tensor> tensors;  ///< in forward order

  /// Gradients of all tensors together.
  [[nodiscard]] std::size_t elements() const;
};

/// Throws InputError, naming those there are, for an unknown model.
[[nodiscard]] Model load_model(std::string_view name);

[[nodiscard]] std::vector<std::string> model_names();

/// Where each tensor's gradient lies in the buffer: one after the other, from element 0.
[[nodiscard]] std::vector<Extent> extents_of(const Model& model);

}  // namespace gradwire::workloads
