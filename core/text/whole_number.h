#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gradwire::text {

/// The whole number that a JSON value is. Throws nlohmann::json::type_error for any other value,
/// for a number with a fraction or an exponent, and for one that `Number` does not hold:
/// nlohmann's own conversion takes all of these for some number, or has no defined result.
template <std::integral Number>
[[nodiscard]] Number whole_number(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (std::in_range<Number>(number)) return static_cast<Number>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (std::in_range<Number>(number)) return static_cast<Number>(number);
  }
  throw nlohmann::json::type_error::create(
      302,
      fmt::format("{} is no whole number from {} to {}", value.dump().substr(0, 40),
                  std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max()),
      &value);
}

}  // namespace gradwire::text
