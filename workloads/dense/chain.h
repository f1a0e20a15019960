#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Layers computed in plain loops, in float or double, with one order of additions whatever the
/// number of samples: the result of a sample has the same bits among one or a hundred.
namespace gradwire::dense {

/// A convolution with stride 1 and without padding. If its kernel is as large as its images, it is
/// a fully connected layer.
struct Layer {
  std::size_t channels = 1;  ///< channels of an incoming image
  std::size_t side = 1;      ///< side of an incoming image: side x side
  std::size_t outputs = 1;   ///< channels of an outgoing image
  std::size_t kernel = 1;    ///< side of the window; at most `side`

  /// The side of an outgoing image.
  [[nodiscard]] std::size_t output_side() const { return side - kernel + 1; }
  /// The number of elements of an incoming image.
  [[nodiscard]] std::size_t image() const { return channels * side * side; }
  /// The number of elements of an outgoing image.
  [[nodiscard]] std::size_t output() const { return outputs * output_side() * output_side(); }
  /// The number of weights: outputs x channels x kernel x kernel, stored in this order.
  [[nodiscard]] std::size_t weights() const { return outputs * channels * kernel * kernel; }
};

/// Layers in sequence: each takes the output of the one before.
struct Chain {
  std::vector<Layer> layers;        ///< at least one
  bool ends_with_rectifier = true;  ///< whether a rectifier follows the last layer, too

  /// The number of elements of an incoming sample.
  [[nodiscard]] std::size_t inputs() const { return layers.front().image(); }
  /// The number of elements of an outgoing sample.
  [[nodiscard]] std::size_t outputs() const { return layers.back().output(); }
  /// The number of weights of all layers together; they lie one layer after the other.
  [[nodiscard]] std::size_t weights() const;
};

/// One pass of samples forward through a chain with given weights, and of their gradients back. T
/// is float or double.
template <class T>
class Pass {
 public:
  /// A pass with these weights, which must outlive it. Throws InternalError unless they are those
  /// of the chain.
  Pass(const Chain& chain, std::span<const T> weights);

  /// Takes samples, one after the other, through all layers. Returns the outputs, valid until the
  /// next call. Throws InternalError unless whole samples come in.
  std::span<const T> forward(std::span<const T> samples);
  /// Takes the gradients of the outputs, and returns those of the inputs, valid until the next
  /// call. Adds those of the weights to `gradient`, sample after sample. Requires forward().
  std::span<const T> backward(std::span<const T> errors, std::span<T> gradient);

 private:
  const Chain& chain_;
  std::span<const T> weights_;
  std::size_t samples_ = 0;
  std::vector<std::vector<T>> images_;  ///< the input, then the output of each layer
  std::vector<T> errors_;
};

extern template class Pass<float>;
extern template class Pass<double>;

}  // namespace gradwire::dense
