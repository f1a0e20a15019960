#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "core/binary.h"
#include "core/fields.h"
#include "core/hasher.h"

namespace gradwire {
namespace binary {

/// Mixes in what decides how the bytes of a T are read.
template <class T>
constexpr void mix_layout(Hasher& hasher) {
  if constexpr (IsNumber<T>) {
    hasher.mix(std::is_floating_point_v<T> ? "real" : std::is_signed_v<T> ? "signed" : "unsigned");
    hasher.mix(sizeof(T));
  } else if constexpr (HasProxy<T>) {
    mix_layout<Proxy<T>>(hasher);
  } else if constexpr (HasFields<T>) {
    hasher.mix("{");
    visit_fields<T>([&]<class Struct, class Value>(const Field<Struct, Value>& field) {
      hasher.mix(field.name);
      mix_layout<Value>(hasher);
      return true;
    });
    hasher.mix("}");
  } else if constexpr (kIsA<T, std::optional>) {
    hasher.mix("?");
    mix_layout<typename T::value_type>(hasher);
  } else if constexpr (kIsA<T, std::pair>) {
    mix_layout<std::remove_const_t<typename T::first_type>>(hasher);
    mix_layout<typename T::second_type>(hasher);
  } else if constexpr (kIsArray<T>) {
    hasher.mix(std::tuple_size_v<T>);
    mix_layout<typename T::value_type>(hasher);
  } else if constexpr (kIsContainer<T>) {
    hasher.mix("[]");
    mix_layout<typename T::value_type>(hasher);
  } else {
    hasher.mix("scalar");
    hasher.mix(sizeof(T));
  }
}

}  // namespace binary

/// A number that differs, but once in 2^64, for types whose fields have other names, types or order.
/// Whoever sends it before bytes finds out that the other end is of another version.
template <class T>
[[nodiscard]] constexpr std::uint64_t layout_of() {
  Hasher hasher;
  binary::mix_layout<T>(hasher);
  return hasher.value();
}

}  // namespace gradwire
