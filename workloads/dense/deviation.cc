#include "workloads/dense/deviation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/rounding.h"
#include "workloads/dense/openblas/product.h"
#include "workloads/dense/values.h"

namespace gradwire::dense {
namespace {

using workloads::DenseLayer;

/// The number of rows of R in memory at a time.
constexpr std::size_t kRows = 128;

std::ptrdiff_t difference(std::size_t count) {
  return static_cast<std::ptrdiff_t>(count);
}

/// A matrix of all workers' samples, row after row, in double precision.
struct Samples {
  std::size_t columns = 0;
  std::vector<double> values;

  [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
  /// The length of each column.
  [[nodiscard]] std::vector<double> lengths() const {
    std::vector<double> lengths(columns);
    for (auto row = values.begin(); row != values.end(); row += difference(columns)) {
      for (std::size_t i = 0; i < columns; ++i)
        lengths[i] += row[difference(i)] * row[difference(i)];
    }
    for (double& length : lengths) length = std::sqrt(length);
    return lengths;
  }
};

using Fill = void (*)(const Source& source, std::size_t first, std::span<float> part);

/// One matrix of a layer, gathered from `where` in every worker's share.
Samples gather(const Averaged& averaged, const Extent& where, std::size_t columns, Fill fill) {
  Samples samples{.columns = columns};
  samples.values.reserve(averaged.workers.size() * where.count);
  std::vector<float> part(where.count);
  for (const Rank rank : averaged.workers) {
    fill({.seed = averaged.seed, .iteration = averaged.iteration, .rank = rank}, where.first, part);
    samples.values.insert(samples.values.end(), part.begin(), part.end());
  }
  return samples;
}

/// The bound on the error of an element, the reference's included, for columns of length 1.
double most_off(std::size_t samples, std::size_t workers) {
  const auto roundings = static_cast<double>(samples + workers + 2);
  const auto all = static_cast<double>(samples * workers + 2);
  return rounding_bound(roundings, unit_roundoff(Dtype::float32)) +
         rounding_bound(all, unit_roundoff(Dtype::float64));
}

/// Sums of squares over the elements of a layer, and the number of those that are too far off.
struct Tally {
  double off = 0;
  double reference = 0;
  std::size_t wrong = 0;
};

/// Compares rows of a layer's gradient, from row `first` on, with those of the reference, which is
/// still a sum.
class Comparison {
 public:
  Comparison(const Averaged& averaged, const Samples& inputs, const Samples& errors)
      : inputs_(inputs.lengths()),
        errors_(errors.lengths()),
        workers_(static_cast<double>(averaged.workers.size())),
        most_(most_off(averaged.stack.samples, averaged.workers.size())) {}

  void compare(std::size_t first, std::span<const float> rows, std::span<const double> sums) {
    const std::size_t columns = inputs_.size();
    for (std::size_t i = 0; i < rows.size(); i += columns) {
      const double most = most_ * errors_[first + i / columns] / workers_;
      compare_row(most, rows.subspan(i, columns), sums.subspan(i, columns));
    }
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  /// Compares one row. `most` is the bound for inputs of length 1.
  void compare_row(double most, std::span<const float> row, std::span<const double> sums) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double reference = sums[i] / workers_;
      const double off = std::abs(static_cast<double>(row[i]) - reference);
      if (!(off <= most * inputs_[i])) ++tally_.wrong;  // what is no number, too
      tally_.off += off * off;
      tally_.reference += reference * reference;
    }
  }

  std::vector<double> inputs_;
  std::vector<double> errors_;
  double workers_;
  double most_;
  Tally tally_;
};

Tally compare_layer(const Averaged& averaged, const DenseLayer& layer, const LayerPlace& place,
                    std::span<const float> weights) {
  const Samples inputs = gather(averaged, place.inputs, layer.inputs, fill_inputs);
  const Samples errors = gather(averaged, place.errors, layer.outputs, fill_errors);
  Comparison comparison(averaged, inputs, errors);
  std::vector<double> sums(std::min(kRows, layer.outputs) * layer.inputs);
  for (std::size_t first = 0; first < layer.outputs; first += kRows) {
    const std::size_t rows = std::min(kRows, layer.outputs - first);
    const std::span<double> part = std::span(sums).first(rows * layer.inputs);
    openblas::multiply(
        {.samples = inputs.rows(), .rows = rows, .columns = layer.inputs, .stride = layer.outputs},
        std::span(errors.values).subspan(first), inputs.values, part);
    comparison.compare(first, weights.subspan(first * layer.inputs, part.size()), part);
  }
  return comparison.tally();
}

}  // namespace

Deviation deviation(const Averaged& averaged, std::span<const float> average) {
  ensure(!averaged.workers.empty() && average.size() == averaged.stack.weights(),
         "an average is of some workers, and has K N elements");
  Deviation worst{.relative = 0};
  const std::vector<LayerPlace> all = places(averaged.stack);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Extent& weights = all[i].weights;
    const Tally tally = compare_layer(averaged, averaged.stack.layers[i], all[i],
                                      average.subspan(weights.first, weights.count));
    worst.wrong += tally.wrong;
    const double relative = std::sqrt(tally.off / tally.reference);
    if (!std::isfinite(relative)) worst.relative.reset();
    if (worst.relative) worst.relative = std::max(*worst.relative, relative);
  }
  return worst;
}

double deviation_bytes(const workloads::DenseStack& stack, std::size_t workers) {
  double most = 0;
  for (const DenseLayer& layer : stack.layers) {
    const auto samples = static_cast<double>(stack.samples);
    const auto inputs = static_cast<double>(layer.inputs);
    const auto outputs = static_cast<double>(layer.outputs);
    const double doubles = static_cast<double>(workers) * samples * (inputs + outputs) +
                           std::min(outputs, static_cast<double>(kRows)) * inputs;
    most = std::max(most,
                    sizeof(double) * doubles + sizeof(float) * samples * std::max(inputs, outputs));
  }
  return most;
}

}  // namespace gradwire::dense
