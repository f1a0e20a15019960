#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/half.h"

/// From a type that is known when the program runs to one that the compiler knows.
namespace gradwire {

/// Calls use(T{}) with what an element of the type is in memory, and returns what it does.
template <class Use>
decltype(auto) with_type(Dtype type, Use use) {
  switch (type) {
    case Dtype::float32:
      return use(float{});
    case Dtype::float64:
      return use(double{});
    case Dtype::float16:
      return use(Float16{});
    case Dtype::bfloat16:
      return use(Bfloat16{});
    case Dtype::int32:
      return use(std::int32_t{});
    case Dtype::int64:
      return use(std::int64_t{});
    case Dtype::byte:
      break;
  }
  return use(std::uint8_t{});
}

/// The value of an element; of int64 the nearest double.
[[nodiscard]] inline double as_double(Float16 element) {
  return to_float(element);
}
[[nodiscard]] inline double as_double(Bfloat16 element) {
  return to_float(element);
}
template <class T>
[[nodiscard]] double as_double(T element) {
  return static_cast<double>(element);
}

/// A whole number in the memory of each type, which holds it exactly or, of whole numbers, wraps.
template <class T>
[[nodiscard]] T number_as(std::uint64_t number) {
  return static_cast<T>(number);
}
template <>
[[nodiscard]] inline float number_as(std::uint64_t number) {
  return static_cast<float>(static_cast<std::int32_t>(number));  // faster than from 64 bits
}
template <>
[[nodiscard]] inline double number_as(std::uint64_t number) {
  return static_cast<double>(static_cast<std::int64_t>(number));
}
template <>
[[nodiscard]] inline Float16 number_as(std::uint64_t number) {
  return to_float16(number_as<float>(number));
}
template <>
[[nodiscard]] inline Bfloat16 number_as(std::uint64_t number) {
  return to_bfloat16(number_as<float>(number));
}

}  // namespace gradwire
