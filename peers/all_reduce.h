#pragma once

#include <cstddef>

/// Somebody else's all-reduce, to be compared with our Plans: the same gradient, the same links, a
/// schedule of the library's own.
namespace gradwire::peers {

class AllReduce {
 public:
  virtual ~AllReduce() = default;

  /// Replaces extent number `extent`, of those that it was made with, by its sum over all ranks: in
  /// place, in the gradient that it was made with. Collective: all ranks sum the same extents in
  /// the same order. Blocks until this rank is done; no Cancellation ends it. Throws FabricError,
  /// after which it cannot be used again.
  virtual void sum(std::size_t extent) = 0;
};

}  // namespace gradwire::peers
