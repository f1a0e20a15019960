#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/binary.h"
#include "core/error.h"
#include "core/fields.h"
#include "core/text/whole_number.h"

/// JSON of the structs that list their fields (core/fields.h). An enumeration is its name, an Id its
/// number, a duration its count, an absent optional null, an array of bytes hexadecimal digits, a map
/// an array of pairs.
namespace gradwire::text {

/// The fault of a JSON value, and the part that has it: "layers/2/forward_s: is missing".
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& problem) : JsonError("", problem) {}

  /// This fault, seen from a value of which this one's is a part.
  [[nodiscard]] JsonError inside(std::string_view part) const;

 private:
  JsonError(const std::string& path, const std::string& problem);

  std::string path_;
  std::string problem_;
};

namespace detail {

using nlohmann::json;

/// The texts of bytes, for arrays of bytes.
[[nodiscard]] std::string hex_of(std::span<const std::uint8_t> bytes);
/// Fills the array. Throws JsonError.
void bytes_of(const json& value, std::span<std::uint8_t> bytes);
[[nodiscard]] double real_of(const json& value);
[[nodiscard]] bool truth_of(const json& value);
[[nodiscard]] const std::string& string_of(const json& value);
/// Throws JsonError unless the value is an array, of so many values where that is said.
void require_array(const json& value, std::optional<std::size_t> count = std::nullopt);
/// The member of an object; null when it has none. Throws JsonError for what is no object.
[[nodiscard]] const json* find(const json& object, std::string_view name);

template <class T>
inline constexpr bool kIsBytes = false;
template <std::size_t n>
inline constexpr bool kIsBytes<std::array<std::uint8_t, n>> = true;

/// Calls it; what is wrong there is wrong in `part`.
template <class Call>
auto in_part(std::string_view part, const Call& call) try {
  return call();
} catch (const JsonError& inner) {
  throw inner.inside(part);
}

template <class T>
[[nodiscard]] bool is_empty(const T& value) {
  if constexpr (binary::kIsA<T, std::optional>) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T{};
  }
}

template <class T>
[[nodiscard]] json put(const T& value);
template <class T>
[[nodiscard]] T take(const json& value);

template <HasFields T>
[[nodiscard]] json put_struct(const T& value) {
  constexpr bool kIsRow = decltype(T::kFields)::form == Form::row;
  json all = kIsRow ? json::array() : json::object();
  visit_fields<T>([&](const auto& field) {
    const auto& member = value.*field.member;
    if constexpr (kIsRow) {
      all.push_back(put(member));
    } else if (!field.may_be_left_out || !is_empty(member)) {
      all[std::string(field.name)] = put(member);
    }
    return true;
  });
  return all;
}

template <HasFields T>
[[nodiscard]] T take_struct(const json& value) {
  T all{};
  std::size_t next = 0;
  if constexpr (decltype(T::kFields)::form == Form::row) {
    require_array(value, std::tuple_size_v<decltype(T::kFields.each)>);
  }
  visit_fields<T>([&](const auto& field) {
    using Value = std::remove_cvref_t<decltype(all.*field.member)>;
    in_part(field.name, [&] {
      if constexpr (decltype(T::kFields)::form == Form::row) {
        all.*field.member = take<Value>(value[next++]);
      } else if (const json* const found = find(value, field.name)) {
        all.*field.member = take<Value>(*found);
      } else if (!field.may_be_left_out && !binary::kIsA<Value, std::optional>) {
        throw JsonError("is missing");
      }
    });
    return true;
  });
  return all;
}

template <class T>
json put(const T& value) {
  if constexpr (HasProxy<T>) {
    return put(Travels<T>::put(value));
  } else if constexpr (binary::IsNumber<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (HasFields<T>) {
    return put_struct(value);
  } else if constexpr (binary::kIsA<T, Id>) {
    return value.value;
  } else if constexpr (IsDuration<T>) {
    return value.count();
  } else if constexpr (std::is_enum_v<T>) {
    return names_of(value).name_of(value);
  } else if constexpr (binary::kIsA<T, std::optional>) {
    return value ? put(*value) : json(nullptr);
  } else if constexpr (kIsBytes<T>) {
    return hex_of(value);
  } else if constexpr (binary::kIsA<T, std::pair>) {
    return json::array({put(value.first), put(value.second)});
  } else {
    json all = json::array();
    for (const auto& each : value) all.push_back(put<typename T::value_type>(each));
    return all;
  }
}

template <binary::IsNumber T>
[[nodiscard]] T take_number(const json& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return truth_of(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real_of(value));
  } else {
    try {
      return whole_number<T>(value);
    } catch (const json::exception& error) {
      throw JsonError(error.what());
    }
  }
}

template <class T>
[[nodiscard]] T take_container(const json& value) {
  T all{};
  require_array(value, binary::kIsArray<T> ? std::optional(all.size()) : std::nullopt);
  for (std::size_t i = 0; i < value.size(); ++i) {
    in_part(fmt::to_string(i), [&] {
      if constexpr (binary::kIsArray<T>) {
        all[i] = take<typename T::value_type>(value[i]);
      } else {
        all.insert(all.end(), take<typename T::value_type>(value[i]));
      }
    });
  }
  if (all.size() != value.size()) throw JsonError("has a key twice");
  return all;
}

template <class T>
T take(const json& value) {
  if constexpr (HasProxy<T>) {
    auto taken = Travels<T>::take(take<Proxy<T>>(value));
    if (!taken) throw JsonError("has a value that does not fit");
    return *std::move(taken);
  } else if constexpr (binary::IsNumber<T>) {
    return take_number<T>(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return string_of(value);
  } else if constexpr (HasFields<T>) {
    return take_struct<T>(value);
  } else if constexpr (binary::kIsA<T, Id>) {
    return T(std::size_t{take<std::uint32_t>(value)});
  } else if constexpr (IsDuration<T>) {
    const auto count = take<typename T::rep>(value);
    if constexpr (std::is_integral_v<typename T::rep>) {
      if (!is_moderate(count)) throw JsonError("is a time beyond 73 years");
    }
    return T(count);
  } else if constexpr (std::is_enum_v<T>) {
    const auto found = names_of(T{}).find(string_of(value));
    if (!found) throw JsonError(fmt::format("is '{}', which is no such name", string_of(value)));
    return *found;
  } else if constexpr (binary::kIsA<T, std::optional>) {
    if (value.is_null()) return std::nullopt;
    return take<typename T::value_type>(value);
  } else if constexpr (kIsBytes<T>) {
    T bytes{};
    bytes_of(value, bytes);
    return bytes;
  } else if constexpr (binary::kIsA<T, std::pair>) {
    require_array(value, 2);
    return {take<std::remove_const_t<typename T::first_type>>(value[0]),
            take<typename T::second_type>(value[1])};
  } else {
    return take_container<T>(value);
  }
}

}  // namespace detail

/// The JSON of a value.
template <class T>
[[nodiscard]] nlohmann::json to_json(const T& value) {
  return detail::put(value);
}

/// The value that JSON shows. Skips members that are no fields of T. Throws `Error` for what shows no
/// T: "job: layers/2/forward_s: is missing", where `what` is "job".
template <class T, class Error = InternalError>
[[nodiscard]] T from_json(const nlohmann::json& value, std::string_view what) try {
  return detail::take<T>(value);
} catch (const JsonError& error) {
  throw Error(fmt::format("{}: {}", what, error.what()));
}

}  // namespace gradwire::text
