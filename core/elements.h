#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/error.h"
#include "core/extent.h"

/// Memory for elements of a type that is known when the program runs.
namespace gradwire {

/// Elements of one type, side by side: what the extents of Plans refer to. A view, as a span is:
/// whoever owns the memory keeps it.
class Elements {
 public:
  /// None.
  Elements() = default;
  /// float32. (So that a gradient of floats is one.)
  Elements(std::span<float> elements)  // NOLINT(google-explicit-constructor)
      : bytes_(std::as_writable_bytes(elements)), type_(Dtype::float32) {}
  /// Memory that is aligned for the type. Throws InternalError unless whole elements fit.
  Elements(std::span<std::byte> bytes, Dtype type) : bytes_(bytes), type_(type) {
    ensure(bytes.size() % size_of(type) == 0, "elements are whole");
  }

  [[nodiscard]] Dtype type() const { return type_; }
  /// Bytes of one element.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// How many there are.
  [[nodiscard]] std::size_t size() const { return bytes_.size() / element_bytes(); }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  /// The memory of all of them.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  /// The memory of some. Requires that they lie within.
  [[nodiscard]] std::span<std::byte> bytes(const Extent& extent) const {
    return bytes_.subspan(extent.first * element_bytes(), extent.count * element_bytes());
  }
  /// Some of them. Requires that they lie within.
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

/// The value of one of them; of int64 the nearest double. For messages.
[[nodiscard]] double value_at(const Elements& elements, std::size_t index);

/// Owns elements, which are 0 at first. What nobody touches takes no memory.
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
