#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/half.h"

/// Dispatch from a Dtype, known at run time, to a C++ type.
namespace gradwire {

/// Calls use(T{}) with the C++ type T of an element, and returns its result.
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

/// The value of an element; of an int64 the nearest double.
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

/// The whole number as a T, exact or, if T is a whole number, wrapped.
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
