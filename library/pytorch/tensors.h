#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/Types.hpp>

#include "library/gradwire.h"

/// Tensors as libgradwire works on them.
namespace gradwire::pytorch {

/// Type of a sum, and whether it is divided by the number of ranks afterwards.
struct Sum {
  gradwire_type type = GRADWIRE_FLOAT32;
  bool is_mean = false;
};

/// The sum that an operation asks for. Throws c10::Error, which names the operation, what it
/// refuses and what it takes, for types that are not summed, other reductions than SUM and AVG, and
/// AVG of whole numbers.
[[nodiscard]] Sum sum_of(std::string_view operation, const at::Tensor& tensor,
                         const c10d::ReduceOp& reduction);

/// Checks that a tensor is dense and in main memory. Throws c10::Error, which names the operation,
/// if not.
void require_dense(std::string_view operation, const at::Tensor& tensor);
/// The single tensor of a list. Throws c10::Error, which names the operation, for another number of
/// tensors, and as require_dense.
[[nodiscard]] at::Tensor single(std::string_view operation, const std::vector<at::Tensor>& tensors);
/// Checks that all tensors are dense and of the model's type and shape. Throws c10::Error, which
/// names the operation, if not.
void require_alike(std::string_view operation, const std::vector<at::Tensor>& tensors,
                   const at::Tensor& model);

/// Tensor as one run of elements: itself, or a copy where its elements lie apart.
class Flat {
 public:
  /// Takes a tensor, and copies it if its elements lie apart.
  explicit Flat(at::Tensor tensor) : tensor_(std::move(tensor)), flat_(tensor_.contiguous()) {}

  [[nodiscard]] void* data() const { return flat_.data_ptr(); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(flat_.numel()); }
  [[nodiscard]] std::size_t bytes() const { return flat_.nbytes(); }
  /// The elements in `rows` rows. Requires that they can be divided so.
  [[nodiscard]] at::Tensor rows(int rows) const { return flat_.view({rows, -1}); }
  /// Divides every element.
  void divide(int by) { flat_.div_(by); }
  /// Copies the elements back to the tensor if they are a copy.
  void give_back() const {
    if (!flat_.is_same(tensor_)) tensor_.copy_(flat_);
  }

 private:
  at::Tensor tensor_;
  at::Tensor flat_;
};

}  // namespace gradwire::pytorch
