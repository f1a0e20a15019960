#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/error.h"
#include "core/extent.h"

/// Memory for elements of a type that is known when the program runs.
namespace gradwire {

/// Elements of one type, side by side: the memory that the extents of Plans refer to. A view like a
/// span: its owner keeps the memory.
class Elements {
 public:
  /// A view of no elements.
  Elements() = default;
  /// A view of float32 elements. Implicit, so that a gradient of floats can be passed.
  Elements(std::span<float> elements)  // NOLINT(google-explicit-constructor)
      : bytes_(std::as_writable_bytes(elements)), type_(Dtype::float32) {}
  /// A view of memory that is aligned for the type. Throws InternalError unless whole elements fit.
  Elements(std::span<std::byte> bytes, Dtype type) : bytes_(bytes), type_(type) {
    ensure(bytes.size() % size_of(type) == 0, "elements are whole");
  }

  [[nodiscard]] Dtype type() const { return type_; }
  /// The size of one element in bytes.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// The number of elements.
  [[nodiscard]] std::size_t size() const { return bytes_.size() / element_bytes(); }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  /// The memory of all elements.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  /// The memory of the extent's elements. Requires that they lie within.
  [[nodiscard]] std::span<std::byte> bytes(const Extent& extent) const {
    return bytes_.subspan(extent.first * element_bytes(), extent.count * element_bytes());
  }
  /// The extent's elements. Requires that they lie within.
  [[nodiscard]] Elements part(const Extent& extent) const { return {bytes(extent), type_}; }

  /// The memory as a span of T. Throws InternalError unless T has an element's size.
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    ensure(sizeof(T) == element_bytes(), "a view of elements has their size");
    return {reinterpret_cast<T*>(bytes_.data()), size()};
  }

 private:
  std::span<std::byte> bytes_;
  Dtype type_ = Dtype::float32;
};

/// The value of one element, for messages; of an int64 the nearest double.
[[nodiscard]] double value_at(const Elements& elements, std::size_t index);

/// Owns elements, which are 0 at first. Pages that nobody touches take no memory.
class ElementBuffer {
 public:
  ElementBuffer() = default;
  /// Throws std::bad_alloc when there is no memory.
  ElementBuffer(Dtype type, std::size_t count);

  [[nodiscard]] Elements elements() const { return {{memory_.get(), bytes_}, type_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t bytes_ = 0;
  Dtype type_ = Dtype::float32;
};

}  // namespace gradwire
