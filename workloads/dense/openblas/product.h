#pragma once

#include <cstddef>
#include <span>

/// Matrix products by OpenBLAS, on the calling thread alone. One at a time in a process: other
/// threads wait.
namespace gradwire::dense::openblas {

/// The sizes of W = A^T B: A is samples x rows, B samples x columns, W rows x columns. All matrices lie
/// row after row; the rows of A are `stride` elements apart, so that A may be some columns of a larger
/// matrix.
struct Shape {
  std::size_t samples = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;  ///< at least `rows`
};

/// The use of a product.
struct Use {
  float factor = 1;   ///< factor of the product
  bool adds = false;  ///< whether it is added to the result instead of replacing it
};

/// Computes W = factor A^T B, or W += factor A^T B. Throws InternalError for spans that are not of
/// these sizes and for sizes that OpenBLAS does not take, and InputError if the program was built
/// without it.
void multiply(const Shape& shape, std::span<const float> a, std::span<const float> b,
              std::span<float> w, const Use& use);
/// Computes W = A^T B in double precision. Throws like the other.
void multiply(const Shape& shape, std::span<const double> a, std::span<const double> b,
              std::span<double> w);

}  // namespace gradwire::dense::openblas
