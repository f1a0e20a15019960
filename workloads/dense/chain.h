#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Layers that are computed in plain loops, in float or double, with one order of additions whatever the
/// number of samples: what a sample makes of them has the same bits among one or a hundred.
namespace gradwire::dense {

/// A convolution with stride 1 and without padding. One whose kernel is as large as its images is fully
/// connected.
struct Layer {
  std::size_t channels = 1;  ///< of an image that comes in
  std::size_t side = 1;      ///< of that image: side x side
  std::size_t outputs = 1;   ///< channels of an image that comes out
  std::size_t kernel = 1;    ///< side of the window; at most `side`

  /// Side of an image that comes out.
  [[nodiscard]] std::size_t output_side() const { return side - kernel + 1; }
  /// Elements of an image that comes in.
  [[nodiscard]] std::size_t image() const { return channels * side * side; }
  /// Elements of an image that comes out.
  [[nodiscard]] std::size_t output() const { return outputs * output_side() * output_side(); }
  /// Outputs x channels x kernel x kernel, in this order.
  [[nodiscard]] std::size_t weights() const { return outputs * channels * kernel * kernel; }
};

/// Layers of which each takes what comes out of the one before.
struct Chain {
  std::vector<Layer> layers;        ///< at least one
  bool ends_with_rectifier = true;  ///< one follows every layer; also the last one?

  /// Elements of a sample that comes in.
  [[nodiscard]] std::size_t inputs() const { return layers.front().image(); }
  /// Elements of a sample that comes out.
  [[nodiscard]] std::size_t outputs() const { return layers.back().output(); }
  /// Of all layers together; they lie one layer after the other.
  [[nodiscard]] std::size_t weights() const;
};

/// What goes through a chain with some weights, and back. T is float or double.
template <class T>
class Pass {
 public:
  /// The weights must outlive it. Throws InternalError unless they are those of the chain.
  Pass(const Chain& chain, std::span<const T> weights);

  /// Takes samples, one after the other, through all layers. What comes out is valid until the next
  /// call. Throws InternalError unless whole samples come in.
  std::span<const T> forward(std::span<const T> samples);
  /// Takes the gradients of what came out, and returns those of what came in, valid until the next call.
  /// Adds those of the weights to `gradient`, sample after sample. Requires forward().
  std::span<const T> backward(std::span<const T> errors, std::span<T> gradient);

 private:
  const Chain& chain_;
  std::span<const T> weights_;
  std::size_t samples_ = 0;
  std::vector<std::vector<T>> images_;  ///< what came in, and what came out of each layer
  std::vector<T> errors_;
};

extern template class Pass<float>;
extern template class Pass<double>;

}  // namespace gradwire::dense
