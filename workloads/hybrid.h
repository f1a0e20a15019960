#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/extent.h"
#include "core/id.h"

/// Hybrid parallelism (Late-multiply, 2017, section 2.2; Krizhevsky, 2014): convolutions are
/// replicated on every worker, each with samples of its own, and the fully connected layers behind
/// them, the stack, are on one host. Workers send that host the stack's inputs, and get their
/// gradients back. The stack's own parameters are not synchronized.
namespace gradwire::workloads {

/// A network without biases that is small enough to be computed: convolutions with stride 1 and
/// without padding, and the stack.
struct SmallNetwork {
  struct Convolution {
    std::size_t outputs = 0;  ///< output channels
    std::size_t kernel = 0;   ///< side of the window
  };
  std::size_t channels = 0;  ///< channels of a sample, an image of side x side
  std::size_t side = 0;
  std::vector<Convolution> convolutions;  ///< at least one
  std::vector<std::size_t> stack;         ///< outputs of each fully connected layer, at least one
};

/// A workload of hybrid parallelism.
struct Hybrid {
  std::vector<Extent> tensors;  ///< replicated gradients, placed in a buffer by extents_of
  std::size_t inputs = 0;       ///< inputs of the stack from one sample: 9216 for AlexNet
  std::size_t kept = 0;         ///< parameters of the stack
  std::size_t samples = 0;      ///< M, samples of one worker and iteration
  Rank host;                    ///< host of the stack
  std::optional<SmallNetwork> network = {};  ///< network with real numbers, if they are computed

  /// Elements of all replicated gradients together.
  [[nodiscard]] std::size_t gradients() const;
  /// The elements of the stack's inputs that a worker sends in an iteration.
  [[nodiscard]] std::size_t inputs_of_worker() const { return samples * inputs; }
};

/// Whether a workload is written as hybrid(...), right or wrong.
[[nodiscard]] bool is_hybrid(std::string_view workload);

/// Reads "hybrid(model=alexnet, samples=64)", in which `host=2` names the host of the stack;
/// without it rank 0 is. The stack begins with the model's first fully connected layer. Reads also
/// "hybrid(image=1x12, convolutions=8x3+16x3, stack=64+10, samples=4)", a network of its own:
/// images of one channel and 12 x 12, eight windows of 3 x 3, and so on. Throws InputError, without
/// a place, for any other text, an unknown model, one whose last layers are not fully connected, a
/// window that is larger than its image, and a network that is not small.
[[nodiscard]] Hybrid parse_hybrid(std::string_view workload);

}  // namespace gradwire::workloads
