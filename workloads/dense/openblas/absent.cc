// Instead of product.cc where OpenBLAS is not there.
#include "core/error.h"
#include "workloads/dense/openblas/product.h"

namespace gradwire::dense::openblas {
namespace {

[[noreturn]] void refuse() {
  throw InputError("this gradwire was built without OpenBLAS");
}

}  // namespace

void multiply(const Shape&, std::span<const float>, std::span<const float>, std::span<float>,
              const Use&) {
  refuse();
}

void multiply(const Shape&, std::span<const double>, std::span<const double>, std::span<double>) {
  refuse();
}

}  // namespace gradwire::dense::openblas
