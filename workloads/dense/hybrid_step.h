#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "workloads/dense/chain.h"
#include "workloads/dense/values.h"
#include "workloads/hybrid.h"

/// One step of stochastic gradient descent by hybrid parallelism (Late-multiply, 2017, section 2.2), and
/// by a single device. The loss of a batch of B samples with targets t is
///
///     sum over samples of |y - t|^2 / (2 B)  +  decay |w|^2 / 2
///
/// where B counts the samples of all workers: so their gradients are summed, and not averaged. And each
/// of the m replicas adds decay / m of its weights, so that their sum has all of it.
namespace gradwire::dense {

/// A network that is cut in two, with the parameters of its training.
struct HybridNetwork {
  Chain replicated;  ///< part on every worker
  Chain stack;       ///< part on one host; takes the outputs of the other
  double rate = 0;   ///< factor of the gradient before it is subtracted
  double decay = 0;  ///< decay of all weights
};

/// The network of a workload hybrid(...), trained at a rate of 1/2 with a decay of 1/4: large
/// enough that a wrong share of either shows in the weights.
[[nodiscard]] HybridNetwork network_of(const workloads::SmallNetwork& sizes);

/// Samples and their targets, one after the other.
template <class T>
struct Batch {
  std::vector<T> samples;
  std::vector<T> targets;
};

/// The weights of both parts.
template <class T>
struct Weights {
  std::vector<T> replicated;
  std::vector<T> stack;
};

/// Random weights, within 1 / sqrt(number of a neuron's inputs) of 0.
template <class T>
[[nodiscard]] Weights<T> make_weights(const HybridNetwork& network, const Source& source);
/// A batch of so many random samples and targets, from -1/2 to 1/2.
template <class T>
[[nodiscard]] Batch<T> make_batch(const HybridNetwork& network, std::size_t samples,
                                  const Source& source);

/// The part of a step that the stack's host computes.
template <class T>
struct StackStep {
  std::vector<T> errors;    ///< gradients of the stack's inputs
  std::vector<T> gradient;  ///< gradient of the stack's weights, with their decay
};

/// Takes the inputs of all workers through the stack and back. `targets` are those of the same
/// samples in the same order, all of the batch.
template <class T>
[[nodiscard]] StackStep<T> stack_step(const HybridNetwork& network, std::span<const T> weights,
                                      std::span<const T> inputs, std::span<const T> targets);

/// Adds the gradient of one replica's share of the decay: decay / replicas x weights.
template <class T>
void add_decay(const HybridNetwork& network, std::size_t replicas, std::span<const T> weights,
               std::span<T> gradient);
/// Takes a step down the gradient: weights -= rate x gradient.
template <class T>
void descend(const HybridNetwork& network, std::span<const T> gradient, std::span<T> weights);

/// Takes one step on a single device with the whole batch, the reference for hybrid parallelism.
/// The replicated part's gradient is that of `parts` equal parts of the batch, each with its share
/// of the decay, added in order: one part for the usual computation, or one for each worker to add
/// like workers. Returns the weights after it. Throws InternalError unless parts are whole samples.
template <class T>
[[nodiscard]] Weights<T> single_device_step(const HybridNetwork& network, Weights<T> weights,
                                            const Batch<T>& batch, std::size_t parts);

}  // namespace gradwire::dense
