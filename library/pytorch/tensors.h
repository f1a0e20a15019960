#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/Types.hpp>

#include "library/gradwire.h"

/// What tensors libgradwire can work on, and how it does.
namespace gradwire::pytorch {

/// What is summed, and whether it is divided by the number of ranks afterwards.
struct Sum {
  gradwire_type type = GRADWIRE_FLOAT32;
  bool is_mean = false;
};

/// The sum that an operation asks for. Throws c10::Error, which names the operation, what it cannot take
/// and what it can, for types that are not summed, other reductions than SUM and AVG, and AVG of whole
/// numbers.
[[nodiscard]] Sum sum_of(std::string_view operation, const at::Tensor& tensor,
                         const c10d::ReduceOp& reduction);

/// Throws c10::Error, which names the operation, for a tensor that is not dense or not in main memory.
void require_dense(std::string_view operation, const at::Tensor& tensor);
/// The single tensor of a list. Throws c10::Error, which names the operation, for another number of
/// them, and as require_dense.
[[nodiscard]] at::Tensor single(std::string_view operation, const std::vector<at::Tensor>& tensors);
/// Throws c10::Error, which names the operation, unless all are dense and of the model's type and shape.
void require_alike(std::string_view operation, const std::vector<at::Tensor>& tensors,
                   const at::Tensor& model);

/// A tensor as one run of elements: itself, or a copy where its elements lie apart.
class Flat {
 public:
  /// Copies what lies apart.
  explicit Flat(at::Tensor tensor) : tensor_(std::move(tensor)), flat_(tensor_.contiguous()) {}

  [[nodiscard]] void* data() const { return flat_.data_ptr(); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(flat_.numel()); }
  [[nodiscard]] std::size_t bytes() const { return flat_.nbytes(); }
  /// Its elements in so many rows. Requires that they can be cut so.
  [[nodiscard]] at::Tensor rows(int rows) const { return flat_.view({rows, -1}); }
  /// Divides every element.
  void divide(int by) { flat_.div_(by); }
  /// Copies back what was copied.
  void give_back() const {
    if (!flat_.is_same(tensor_)) tensor_.copy_(flat_);
  }

 private:
  at::Tensor tensor_;
  at::Tensor flat_;
};

}  // namespace gradwire::pytorch
