#include "library/pytorch/tensors.h"

namespace gradwire::pytorch {
namespace {

const char* name_of(const c10d::ReduceOp& reduction) {
  switch (reduction.op_) {
    case c10d::ReduceOp::PRODUCT:
      return "PRODUCT";
    case c10d::ReduceOp::MIN:
      return "MIN";
    case c10d::ReduceOp::MAX:
      return "MAX";
    case c10d::ReduceOp::BAND:
      return "BAND";
    case c10d::ReduceOp::BOR:
      return "BOR";
    case c10d::ReduceOp::BXOR:
      return "BXOR";
    case c10d::ReduceOp::PREMUL_SUM:
      return "PREMUL_SUM";
    default:
      return "this reduction";
  }
}

gradwire_type type_of(std::string_view operation, at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return GRADWIRE_FLOAT32;
    case at::kDouble:
      return GRADWIRE_FLOAT64;
    case at::kHalf:
      return GRADWIRE_FLOAT16;
    case at::kBFloat16:
      return GRADWIRE_BFLOAT16;
    case at::kInt:
      return GRADWIRE_INT32;
    case at::kLong:
      return GRADWIRE_INT64;
    default:
      TORCH_CHECK(false, "gradwire: ", operation, " does not sum ", type,
                  ": it sums float32, float64, float16, bfloat16, int32 and int64");
  }
}

}  // namespace

Sum sum_of(std::string_view operation, const at::Tensor& tensor, const c10d::ReduceOp& reduction) {
  const auto op = reduction.op_;
  TORCH_CHECK(op == c10d::ReduceOp::SUM || op == c10d::ReduceOp::AVG, "gradwire: ", operation,
              " does not know ", name_of(reduction), ": it knows SUM and AVG");
  const Sum sum{.type = type_of(operation, tensor.scalar_type()),
                .is_mean = op == c10d::ReduceOp::AVG};
  TORCH_CHECK(!sum.is_mean || tensor.is_floating_point(), "gradwire: ", operation,
              " makes no AVG of ", tensor.scalar_type(), ": it makes SUM of whole numbers");
  return sum;
}

void require_dense(std::string_view operation, const at::Tensor& tensor) {
  TORCH_CHECK(tensor.defined() && tensor.layout() == at::kStrided, "gradwire: ", operation,
              " does not take sparse tensors: it takes dense ones, see Tensor.to_dense()");
  TORCH_CHECK(tensor.device().is_cpu(), "gradwire: ", operation, " does not take tensors on ",
              tensor.device(), ": it takes those in main memory, see Tensor.cpu()");
}

at::Tensor single(std::string_view operation, const std::vector<at::Tensor>& tensors) {
  TORCH_CHECK(tensors.size() == 1, "gradwire: ", operation, " takes one tensor of a rank, not ",
              tensors.size());
  require_dense(operation, tensors.front());
  return tensors.front();
}

void require_alike(std::string_view operation, const std::vector<at::Tensor>& tensors,
                   const at::Tensor& model) {
  for (const at::Tensor& tensor : tensors) {
    require_dense(operation, tensor);
    TORCH_CHECK(tensor.scalar_type() == model.scalar_type() && tensor.sizes() == model.sizes(),
                "gradwire: ", operation, " takes tensors of one type and shape, not ",
                tensor.scalar_type(), " ", tensor.sizes(), " beside ", model.scalar_type(), " ",
                model.sizes());
  }
}

}  // namespace gradwire::pytorch
