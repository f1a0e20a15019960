#include "workloads/dense/hybrid_step.h"

#include <cmath>
#include <utility>

#include "core/error.h"

namespace gradwire::dense {
namespace {

/// Appends random numbers from -scale to scale.
template <class T>
void append_random(const Source& source, std::size_t count, double scale, std::vector<T>& to) {
  std::vector<float> halves(count);
  fill_errors(source, to.size(), halves);
  for (const float half : halves) to.push_back(static_cast<T>(2 * scale * half));
}

/// Appends a chain's weights; those of a layer are scaled by the number of products that it adds
/// up.
template <class T>
void append_weights(const Source& source, const Chain& chain, std::vector<T>& to) {
  for (const Layer& layer : chain.layers) {
    const auto terms = static_cast<double>(layer.channels * layer.kernel * layer.kernel);
    append_random(source, layer.weights(), 1 / std::sqrt(terms), to);
  }
}

/// The first so many elements, and the others.
template <class T>
std::pair<std::vector<T>, std::vector<T>> cut(const std::vector<T>& all, std::size_t first) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {{all.begin(), middle}, {middle, all.end()}};
}

}  // namespace

HybridNetwork network_of(const workloads::SmallNetwork& sizes) {
  HybridNetwork network{
      .replicated = {}, .stack = {.ends_with_rectifier = false}, .rate = 0.5, .decay = 0.25};
  Layer next{.channels = sizes.channels, .side = sizes.side};
  const auto add = [&](Chain& chain, std::size_t outputs, std::size_t kernel) {
    next.outputs = outputs;
    next.kernel = kernel;
    chain.layers.push_back(next);
    next = {.channels = outputs, .side = next.output_side()};
  };
  for (const auto& each : sizes.convolutions) add(network.replicated, each.outputs, each.kernel);
  for (const std::size_t outputs : sizes.stack) add(network.stack, outputs, next.side);
  return network;
}

template <class T>
Weights<T> make_weights(const HybridNetwork& network, const Source& source) {
  std::vector<T> all;
  append_weights(source, network.replicated, all);
  append_weights(source, network.stack, all);
  auto [replicated, stack] = cut(all, network.replicated.weights());
  return {.replicated = std::move(replicated), .stack = std::move(stack)};
}

template <class T>
Batch<T> make_batch(const HybridNetwork& network, std::size_t samples, const Source& source) {
  std::vector<T> all;
  const std::size_t first = samples * network.replicated.inputs();
  append_random(source, first + samples * network.stack.outputs(), 0.5, all);
  auto [images, targets] = cut(all, first);
  return {.samples = std::move(images), .targets = std::move(targets)};
}

template <class T>
StackStep<T> stack_step(const HybridNetwork& network, std::span<const T> weights,
                        std::span<const T> inputs, std::span<const T> targets) {
  Pass<T> pass(network.stack, weights);
  const std::span<const T> outputs = pass.forward(inputs);
  ensure(outputs.size() == targets.size(), "every sample has its target");
  const auto batch = static_cast<T>(targets.size() / network.stack.outputs());
  std::vector<T> errors(outputs.size());
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = (outputs[i] - targets[i]) / batch;
  StackStep<T> step{.gradient = std::vector<T>(weights.size())};
  const std::span<const T> before = pass.backward(errors, step.gradient);
  step.errors.assign(before.begin(), before.end());
  add_decay<T>(network, 1, weights, step.gradient);
  return step;
}

template <class T>
void add_decay(const HybridNetwork& network, std::size_t replicas, std::span<const T> weights,
               std::span<T> gradient) {
  const T share = static_cast<T>(network.decay) / static_cast<T>(replicas);
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += share * weights[i];
}

template <class T>
void descend(const HybridNetwork& network, std::span<const T> gradient, std::span<T> weights) {
  const T rate = static_cast<T>(network.rate);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= rate * gradient[i];
}

template <class T>
Weights<T> single_device_step(const HybridNetwork& network, Weights<T> weights,
                              const Batch<T>& batch, std::size_t parts) {
  const std::size_t each = batch.samples.size() / parts;
  std::vector<Pass<T>> passes(parts, Pass<T>(network.replicated, weights.replicated));
  std::vector<T> inputs;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto out = passes[i].forward(std::span(batch.samples).subspan(i * each, each));
    inputs.insert(inputs.end(), out.begin(), out.end());
  }
  const StackStep<T> step = stack_step<T>(network, weights.stack, inputs, batch.targets);
  std::vector<T> sum(weights.replicated.size());
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t count = step.errors.size() / parts;
    std::vector<T> gradient(sum.size());
    passes[i].backward(std::span(step.errors).subspan(i * count, count), gradient);
    add_decay<T>(network, parts, weights.replicated, gradient);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += gradient[k];
  }
  descend<T>(network, sum, weights.replicated);
  descend<T>(network, step.gradient, weights.stack);
  return weights;
}

template Weights<float> make_weights(const HybridNetwork&, const Source&);
template Weights<double> make_weights(const HybridNetwork&, const Source&);
template Batch<float> make_batch(const HybridNetwork&, std::size_t, const Source&);
template Batch<double> make_batch(const HybridNetwork&, std::size_t, const Source&);
template StackStep<float> stack_step(const HybridNetwork&, std::span<const float>,
                                     std::span<const float>, std::span<const float>);
template StackStep<double> stack_step(const HybridNetwork&, std::span<const double>,
                                      std::span<const double>, std::span<const double>);
template void add_decay(const HybridNetwork&, std::size_t, std::span<const float>,
                        std::span<float>);
template void add_decay(const HybridNetwork&, std::size_t, std::span<const double>,
                        std::span<double>);
template void descend(const HybridNetwork&, std::span<const float>, std::span<float>);
template void descend(const HybridNetwork&, std::span<const double>, std::span<double>);
template Weights<float> single_device_step(const HybridNetwork&, Weights<float>,
                                           const Batch<float>&, std::size_t);
template Weights<double> single_device_step(const HybridNetwork&, Weights<double>,
                                            const Batch<double>&, std::size_t);

}  // namespace gradwire::dense
