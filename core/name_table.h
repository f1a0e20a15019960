#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <source_location>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace gradwire {

/// The names of an enumeration's values, for reading and writing: one list serves both directions.
template <class Value, std::size_t N>
class NameTable {
 public:
  /// A table of rows of name and value, in the order in which names() lists them.
  constexpr explicit NameTable(const std::pair<std::string_view, Value> (&rows)[N])
      : rows_(std::to_array(rows)) {}

  /// The number of rows.
  [[nodiscard]] static constexpr std::size_t size() { return N; }

  /// All names, in the order of the rows.
  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : rows_) names.push_back(name);
    return names;
  }

  /// The value of this name. Nothing if no row has the name.
  [[nodiscard]] constexpr std::optional<Value> find(std::string_view name) const {
    for (const auto& [known, value] : rows_) {
      if (known == name) return value;
    }
    return std::nullopt;
  }

  /// The name of this value. Nothing if no row has the value.
  [[nodiscard]] constexpr std::optional<std::string_view> find_name(Value value) const {
    for (const auto& [name, known] : rows_) {
      if (known == value) return name;
    }
    return std::nullopt;
  }

  /// The name of a value that must have one. Throws InternalError, at the caller's place, if it has
  /// none.
  [[nodiscard]] constexpr std::string_view name_of(
      Value value, std::source_location where = std::source_location::current()) const {
    const std::optional<std::string_view> name = find_name(value);
    if (!name) throw_bug("the value of an enumeration has a name", where);
    return *name;
  }

 private:
  std::array<std::pair<std::string_view, Value>, N> rows_;
};

}  // namespace gradwire
