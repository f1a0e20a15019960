#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/fields.h"
#include "core/id.h"

/// Values as bytes, for messages between processes. Numbers are little-endian and as wide as their
/// type; a string, vector or map has its count before it, in four bytes; an optional has a byte that
/// says whether its value follows; a struct is its fields (core/fields.h), one after the other.
namespace gradwire {

namespace binary {

template <class T>
concept IsNumber = std::integral<T> || std::floating_point<T>;
template <class T>
inline constexpr bool kIsArray = false;
template <class Value, std::size_t n>
inline constexpr bool kIsArray<std::array<Value, n>> = true;
template <class T, template <class...> class Template>
inline constexpr bool kIsA = false;
template <template <class...> class Template, class... Arguments>
inline constexpr bool kIsA<Template<Arguments...>, Template> = true;
template <class T>
inline constexpr bool kIsContainer = kIsA<T, std::vector> || kIsA<T, std::map>;
template <class>
inline constexpr bool kIsUnknown = false;

/// The unsigned number with the bits of such a number.
template <IsNumber T>
using Bits = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Appends values to bytes.
class Writer {
 public:
  template <class T>
  void put(const T& value) {
    if constexpr (IsNumber<T>) {
      put_number(value);
    } else if constexpr (HasProxy<T>) {
      put(Travels<T>::put(value));
    } else if constexpr (std::is_same_v<T, std::string>) {
      put_count(value.size());
      bytes_ += value;
    } else if constexpr (HasFields<T>) {
      visit_fields<T>([&](const auto& field) {
        put(value.*field.member);
        return true;
      });
    } else if constexpr (kIsA<T, Id>) {
      put(value.value);
    } else if constexpr (IsDuration<T>) {
      put(value.count());
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(HasNames<T>, "an enumeration that travels has names");
      put(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (kIsA<T, std::optional>) {
      put(value.has_value());
      if (value) put(*value);
    } else if constexpr (kIsA<T, std::pair>) {
      put(value.first);
      put(value.second);
    } else if constexpr (kIsArray<T> || kIsContainer<T>) {
      if constexpr (kIsContainer<T>) put_count(value.size());
      for (const auto& each : value) put<typename T::value_type>(each);
    } else {
      static_assert(kIsUnknown<T>, "the type of a field is one of those that core/fields.h names");
    }
  }

  [[nodiscard]] std::string take_bytes() { return std::move(bytes_); }

 private:
  template <IsNumber T>
  void put_number(T number) {
    auto bits = std::bit_cast<Bits<T>>(number);
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(bits) >> (8 * i) & 0xff);
    }
  }
  void put_count(std::size_t count) {
    ensure(std::in_range<std::uint32_t>(count), "a message has less than 2^32 bytes");
    put_number(static_cast<std::uint32_t>(count));
  }

  std::string bytes_;
};

/// Takes values from the front of bytes. Nothing is allocated but for values that are there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  /// The next value; nothing when there is no such value.
  template <class T>
  [[nodiscard]] std::optional<T> take() {
    if constexpr (std::is_same_v<T, bool>) {
      const auto byte = take_number<std::uint8_t>();
      if (!byte || *byte > 1) return std::nullopt;
      return *byte == 1;
    } else if constexpr (IsNumber<T>) {
      return take_number<T>();
    } else if constexpr (HasProxy<T>) {
      auto proxy = take<Proxy<T>>();
      if (!proxy) return std::nullopt;
      return Travels<T>::take(*std::move(proxy));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return take_string();
    } else if constexpr (HasFields<T>) {
      return take_struct<T>();
    } else if constexpr (kIsA<T, Id>) {
      const auto number = take<std::uint32_t>();
      if (!number) return std::nullopt;
      return T(std::size_t{*number});
    } else if constexpr (IsDuration<T>) {
      return take_duration<T>();
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(HasNames<T>, "an enumeration that travels has names");
      return take_name<T>();
    } else if constexpr (kIsA<T, std::optional>) {
      return take_optional<T>();
    } else if constexpr (kIsA<T, std::pair>) {
      return take_pair<T>();
    } else if constexpr (kIsArray<T>) {
      return take_array<T>();
    } else if constexpr (kIsContainer<T>) {
      return take_container<T>();
    } else {
      static_assert(kIsUnknown<T>, "the type of a field is one of those that core/fields.h names");
    }
  }

  [[nodiscard]] bool is_at_end() const { return left_.empty(); }

 private:
  template <IsNumber T>
  [[nodiscard]] std::optional<T> take_number() {
    if (left_.size() < sizeof(T)) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bits |= std::uint64_t{static_cast<std::uint8_t>(left_[i])} << (8 * i);
    }
    left_.remove_prefix(sizeof(T));
    return std::bit_cast<T>(static_cast<Bits<T>>(bits));
  }
  [[nodiscard]] std::optional<std::string> take_string() {
    const auto count = take_number<std::uint32_t>();
    if (!count || *count > left_.size()) return std::nullopt;
    std::string text(left_.substr(0, *count));
    left_.remove_prefix(*count);
    return text;
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_struct() {
    T value{};
    const bool is_whole = visit_fields<T>([&](const auto& field) {
      using Value = std::remove_cvref_t<decltype(value.*field.member)>;
      auto taken = take<Value>();
      if (taken) value.*field.member = *std::move(taken);
      return taken.has_value();
    });
    if (!is_whole) return std::nullopt;
    return value;
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_name() {
    const auto number = take<std::underlying_type_t<T>>();
    if (!number || !names_of(T{}).find_name(static_cast<T>(*number))) return std::nullopt;
    return static_cast<T>(*number);
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_pair() {
    auto first = take<std::remove_const_t<typename T::first_type>>();
    if (!first) return std::nullopt;
    auto second = take<typename T::second_type>();
    if (!second) return std::nullopt;
    return T(*std::move(first), *std::move(second));
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_duration() {
    const auto count = take<typename T::rep>();
    if (!count) return std::nullopt;
    if constexpr (std::integral<typename T::rep>) {
      if (!is_moderate(*count)) return std::nullopt;
    }
    return T(*count);
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_optional() {
    const auto has_value = take<bool>();
    if (!has_value) return std::nullopt;
    if (!*has_value) return T();
    auto value = take<typename T::value_type>();
    if (!value) return std::nullopt;
    return T(*std::move(value));
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_array() {
    T array{};
    for (auto& each : array) {
      auto taken = take<typename T::value_type>();
      if (!taken) return std::nullopt;
      each = *std::move(taken);
    }
    return array;
  }
  template <class T>
  [[nodiscard]] std::optional<T> take_container() {
    const auto count = take_number<std::uint32_t>();
    if (!count || *count > left_.size()) return std::nullopt;  // each has a byte at least
    T container;
    for (std::uint32_t i = 0; i < *count; ++i) {
      auto taken = take<typename T::value_type>();
      if (!taken) return std::nullopt;
      container.insert(container.end(), *std::move(taken));
    }
    if (container.size() != *count) return std::nullopt;  // a key came twice
    return container;
  }

  std::string_view left_;
};

}  // namespace binary

/// The bytes of a value.
template <class T>
[[nodiscard]] std::string to_bytes(const T& value) {
  binary::Writer writer;
  writer.put(value);
  return writer.take_bytes();
}

/// The value that these bytes are. Nothing for bytes that are not those of one value of T: they may
/// come from anybody.
template <class T>
[[nodiscard]] std::optional<T> from_bytes(std::string_view bytes) {
  binary::Reader reader(bytes);
  std::optional<T> value = reader.take<T>();
  if (!reader.is_at_end()) return std::nullopt;
  return value;
}

}  // namespace gradwire
