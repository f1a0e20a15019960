#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace gradwire {

/// The names that users write for the values of an enumeration, in the order in which they are
/// listed.
template <class Value, std::size_t N>
class NameTable {
 public:
  constexpr explicit NameTable(const std::pair<std::string_view, Value> (&rows)[N])
      : rows_(std::to_array(rows)) {}

  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : rows_) names.push_back(name);
    return names;
  }

  /// Nothing when no value is called so.
  [[nodiscard]] constexpr std::optional<Value> find(std::string_view name) const {
    for (const auto& [known, value] : rows_) {
      if (known == name) return value;
    }
    return std::nullopt;
  }

  /// Throws InternalError for a value without a name.
  [[nodiscard]] constexpr std::string_view name_of(Value value) const {
    for (const auto& [name, known] : rows_) {
      if (known == value) return name;
    }
    throw InternalError("a value has a name");
  }

 private:
  std::array<std::pair<std::string_view, Value>, N> rows_;
};

}  // namespace gradwire
