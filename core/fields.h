#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/units.h"

/// A struct lists its fields once, and its bytes (core/binary.h) and its JSON (core/text/json.h) come
/// of that list:
///
///     struct Request {
///       std::size_t iteration = 0;
///       bool check = false;
///       std::optional<Nanoseconds> limit;
///
///       static constexpr auto kFields =
///           fields(field("iteration", &Request::iteration), field("check", &Request::check),
///                  optional_field("limit_ns", &Request::limit));
///     };
///
///     to_bytes(request)       from_bytes<Request>(bytes)
///     text::to_json(request)  text::from_json<Request>(json)
///
/// A field is a bool, a number, an Id, a duration, a string, a struct with fields, an enumeration with
/// names, an optional, vector, array, pair or map of these, or what Travels says. A struct with fields
/// can be made without arguments.
namespace gradwire {

/// A member of a struct, and its name in JSON.
template <class Struct, class Value>
struct Field {
  std::string_view name;
  Value Struct::*member;
  bool may_be_left_out =
      false;  ///< JSON leaves it out while it has its first value; bytes have all fields
};

/// A field that JSON always has; null for an optional without a value.
template <class Struct, class Value>
[[nodiscard]] constexpr Field<Struct, Value> field(std::string_view name, Value Struct::*member) {
  return {.name = name, .member = member};
}
/// A field that JSON leaves out while it is empty: an optional without a value, a container without
/// elements, or the value that `Value{}` is.
template <class Struct, class Value>
[[nodiscard]] constexpr Field<Struct, Value> optional_field(std::string_view name,
                                                            Value Struct::*member) {
  return {.name = name, .member = member, .may_be_left_out = true};
}

/// The form of a struct in JSON.
enum class Form {
  object,  ///< {"name": value, ...}
  row,     ///< [value, ...], for what comes in thousands
};

/// The fields of a struct.
template <Form kForm, class... Each>
struct FieldList {
  static constexpr Form form = kForm;
  std::tuple<Each...> each;
};

/// The list of a struct that JSON shows as an object.
template <class... Structs, class... Values>
[[nodiscard]] constexpr FieldList<Form::object, Field<Structs, Values>...> fields(
    Field<Structs, Values>... each) {
  return {{each...}};
}
/// The list of a struct that JSON shows as an array of its values, none of which is left out.
template <class... Structs, class... Values>
[[nodiscard]] constexpr FieldList<Form::row, Field<Structs, Values>...> row(
    Field<Structs, Values>... each) {
  return {{each...}};
}

/// A struct that lists its fields.
template <class T>
concept HasFields = requires {
  T::kFields.each;
};

/// Calls visit(field) for each field until one call returns false. Whether none did.
template <HasFields T, class Visit>
constexpr bool visit_fields(Visit&& visit) {
  return std::apply([&](const auto&... each) { return (visit(each) && ...); }, T::kFields.each);
}

/// An enumeration with names: `constexpr NameTable<E, N> names_of(E)` stands beside it. JSON has the
/// name and bytes have the number; a number or name that is not in the table is refused.
template <class T>
concept HasNames = std::is_enum_v<T> && requires(T value) {
  names_of(value).find_name(value);
};

/// The way of a type without fields: it travels as a value of another type. Specialize it for T with
/// `static Other put(const T&)` and `static std::optional<T> take(Other)`, which returns nothing for a
/// value that no T is put as.
template <class T>
struct Travels;

/// A type for which Travels is specialized.
template <class T>
concept HasProxy = requires(const T& value) {
  Travels<T>::put(value);
};
/// The type as which such a type travels.
template <HasProxy T>
using Proxy = std::remove_cvref_t<decltype(Travels<T>::put(std::declval<const T&>()))>;

/// A duration in whole numbers or in real ones.
template <class T>
concept IsDuration = requires {
  typename T::rep;
  typename T::period;
}
&&std::same_as<T, std::chrono::duration<typename T::rep, typename T::period>>;

/// Times that are read are at most this long, so that sums and differences of two never overflow.
inline constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 61;  // 73 years
/// Whether a whole number may be the count of a duration that is read.
[[nodiscard]] constexpr bool is_moderate(std::int64_t count) {
  return -kMostNanoseconds <= count && count <= kMostNanoseconds;
}

/// A rate as bits per second; nothing for kUnlimited, since JSON has no infinity.
template <>
struct Travels<BitRate> {
  [[nodiscard]] static std::optional<double> put(BitRate rate) {
    return rate.is_limited() ? std::optional(rate.bits_per_second) : std::nullopt;
  }
  [[nodiscard]] static std::optional<BitRate> take(std::optional<double> bits_per_second) {
    if (!bits_per_second) return kUnlimited;
    if (!(*bits_per_second >= 0)) return std::nullopt;
    return BitRate{*bits_per_second};
  }
};

}  // namespace gradwire
