#pragma once

#include <cstddef>
#include <vector>

#include "core/error.h"
#include "core/plan.h"

namespace gradwire::transport {

/// An operation that an endpoint has accepted.
struct Posted {
  Extent extent;
  Combine how = Combine::replace;
  std::size_t operation = 0;
  std::size_t bytes_done = 0;

  [[nodiscard]] std::size_t bytes() const { return extent.count * sizeof(float); }
  [[nodiscard]] std::size_t bytes_left() const { return bytes() - bytes_done; }
  [[nodiscard]] std::size_t elements_done() const { return bytes_done / sizeof(float); }
};

/// First in, first out, with room for `capacity` operations and no allocation after construction.
class PostedQueue {
 public:
  explicit PostedQueue(std::size_t capacity) : slots_(capacity) {}

  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Posted& front() { return slots_[first_]; }
  void push(const Posted& posted) {
    ensure(size_ < slots_.size(), "no more operations than the lane has are in flight");
    slots_[(first_ + size_++) % slots_.size()] = posted;
  }
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
