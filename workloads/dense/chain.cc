#include "workloads/dense/chain.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::dense {
namespace {

/// Calls use(weight, input, output) for the indices of each multiplication: those of a weight, and
/// of elements of the incoming and outgoing images. The order is always the same for each weight
/// and for each output.
template <class Use>
void for_each_product(const Layer& layer, Use use) {
  const std::size_t out_side = layer.output_side();
  std::size_t weight = 0;
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    for (std::size_t c = 0; c < layer.channels; ++c) {
      for (std::size_t i = 0; i < layer.kernel; ++i) {
        for (std::size_t j = 0; j < layer.kernel; ++j, ++weight) {
          for (std::size_t y = 0; y < out_side; ++y) {
            for (std::size_t x = 0; x < out_side; ++x) {
              use(weight, (c * layer.side + y + i) * layer.side + x + j,
                  (o * out_side + y) * out_side + x);
            }
          }
        }
      }
    }
  }
}

}  // namespace

std::size_t Chain::weights() const {
  std::size_t sum = 0;
  for (const Layer& layer : layers) sum += layer.weights();
  return sum;
}

template <class T>
Pass<T>::Pass(const Chain& chain, std::span<const T> weights)
    : chain_(chain), weights_(weights), images_(chain.layers.size() + 1) {
  ensure(weights.size() == chain.weights(), "a chain has all its weights");
}

template <class T>
std::span<const T> Pass<T>::forward(std::span<const T> samples) {
  ensure(samples.size() % chain_.inputs() == 0, "samples are whole");
  samples_ = samples.size() / chain_.inputs();
  images_.front().assign(samples.begin(), samples.end());
  const T* weights = weights_.data();
  for (std::size_t l = 0; l < chain_.layers.size(); ++l) {
    const Layer& layer = chain_.layers[l];
    images_[l + 1].assign(samples_ * layer.output(), T(0));
    for (std::size_t s = 0; s < samples_; ++s) {
      const T* const in = images_[l].data() + s * layer.image();
      T* const out = images_[l + 1].data() + s * layer.output();
      for_each_product(layer, [&](std::size_t weight, std::size_t from, std::size_t to) {
        out[to] += weights[weight] * in[from];
      });
    }
    weights += layer.weights();
    if (l + 1 == chain_.layers.size() && !chain_.ends_with_rectifier) break;
    for (T& value : images_[l + 1]) value = std::max(value, T(0));
  }
  return images_.back();
}

template <class T>
std::span<const T> Pass<T>::backward(std::span<const T> errors, std::span<T> gradient) {
  ensure(errors.size() == images_.back().size(), "there is a gradient of everything that came out");
  ensure(gradient.size() == weights_.size(), "there is a gradient of every weight");
  errors_.assign(errors.begin(), errors.end());
  std::size_t first = weights_.size();
  for (std::size_t l = chain_.layers.size(); l-- > 0;) {
    const Layer& layer = chain_.layers[l];
    first -= layer.weights();
    if (l + 1 < chain_.layers.size() || chain_.ends_with_rectifier) {
      for (std::size_t i = 0; i < errors_.size(); ++i) {
        if (images_[l + 1][i] <= T(0)) errors_[i] = T(0);
      }
    }
    std::vector<T> earlier(samples_ * layer.image(), T(0));
    std::vector<T> own(layer.weights());
    for (std::size_t s = 0; s < samples_; ++s) {
      const T* const in = images_[l].data() + s * layer.image();
      const T* const error = errors_.data() + s * layer.output();
      T* const before = earlier.data() + s * layer.image();
      std::ranges::fill(own, T(0));
      for_each_product(layer, [&](std::size_t weight, std::size_t from, std::size_t to) {
        own[weight] += error[to] * in[from];
        before[from] += weights_[first + weight] * error[to];
      });
      for (std::size_t i = 0; i < own.size(); ++i) gradient[first + i] += own[i];
    }
    errors_ = std::move(earlier);
  }
  return errors_;
}

template class Pass<float>;
template class Pass<double>;

}  // namespace gradwire::dense
