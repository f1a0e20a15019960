#include "workloads/dense/openblas/product.h"

#include <limits>
#include <mutex>

#include <cblas.h>

#include "core/error.h"

namespace gradwire::dense::openblas {
namespace {

/// The sizes in OpenBLAS's type.
struct Sizes {
  blasint samples;
  blasint rows;
  blasint columns;
  blasint stride;
};

Sizes sizes_of(const Shape& shape) {
  const auto number = [](std::size_t size) {
    ensure(size > 0 && size <= std::size_t{std::numeric_limits<blasint>::max()},
           "OpenBLAS takes sizes of 31 bits");
    return static_cast<blasint>(size);
  };
  return {.samples = number(shape.samples),
          .rows = number(shape.rows),
          .columns = number(shape.columns),
          .stride = number(shape.stride)};
}

void require_spans(const Shape& shape, std::size_t a, std::size_t b, std::size_t w) {
  ensure(shape.stride >= shape.rows && a >= (shape.samples - 1) * shape.stride + shape.rows &&
             b == shape.samples * shape.columns && w == shape.rows * shape.columns,
         "matrices have the sizes that their product needs");
}

/// The lock that keeps calls apart: Debian's OpenBLAS for one thread manages its memory without
/// one.
std::mutex& turn() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

void multiply(const Shape& shape, std::span<const float> a, std::span<const float> b,
              std::span<float> w, const Use& use) {
  const Sizes n = sizes_of(shape);
  require_spans(shape, a.size(), b.size(), w.size());
  const std::lock_guard lock(turn());
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n.rows, n.columns, n.samples, use.factor,
              a.data(), n.stride, b.data(), n.columns, use.adds ? 1 : 0, w.data(), n.columns);
}

void multiply(const Shape& shape, std::span<const double> a, std::span<const double> b,
              std::span<double> w) {
  const Sizes n = sizes_of(shape);
  require_spans(shape, a.size(), b.size(), w.size());
  const std::lock_guard lock(turn());
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n.rows, n.columns, n.samples, 1, a.data(),
              n.stride, b.data(), n.columns, 0, w.data(), n.columns);
}

}  // namespace gradwire::dense::openblas
