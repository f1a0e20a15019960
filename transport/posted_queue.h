#pragma once

#include <cstddef>
#include <vector>

#include "core/error.h"
#include "core/plan.h"

namespace gradwire::transport {

/// Operation that an endpoint has accepted.
struct Posted {
  Extent extent;
  Combine how = Combine::replace;
  std::size_t operation = 0;
  std::size_t step = 0;           ///< step of a send
  std::size_t element_bytes = 0;  ///< bytes of one element; at least 1
  std::size_t bytes_done = 0;
  std::size_t reported = 0;  ///< elements that the caller was told of

  /// Bytes of the whole operation.
  [[nodiscard]] std::size_t bytes() const { return extent.count * element_bytes; }
  /// Bytes that are not done.
  [[nodiscard]] std::size_t bytes_left() const { return bytes() - bytes_done; }
  /// Elements of which all bytes are done.
  [[nodiscard]] std::size_t elements_done() const { return bytes_done / element_bytes; }
};

/// Queue of operations, first in, first out, that never allocates after construction.
class PostedQueue {
 public:
  /// Makes a queue for `capacity` operations.
  explicit PostedQueue(std::size_t capacity) : slots_(capacity) {}

  /// The most operations that it can hold.
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }
  /// Whether it holds no operations.
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The oldest operation. Requires !empty().
  [[nodiscard]] Posted& front() { return slots_[first_]; }
  [[nodiscard]] const Posted& front() const { return slots_[first_]; }
  /// Adds an operation. Throws InternalError when the queue is full.
  void push(const Posted& posted) {
    ensure(size_ < slots_.size(), "no more operations are in flight than the lane has");
    slots_[(first_ + size_++) % slots_.size()] = posted;
  }
  /// Removes the oldest operation. Requires !empty().
  void pop() {
    first_ = (first_ + 1) % slots_.size();
    --size_;
  }

 private:
  std::vector<Posted> slots_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace gradwire::transport
