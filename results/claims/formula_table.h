#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "results/claims/formulas.h"
#include "schedule/cost.h"
#include "workloads/model.h"

/// Formulas as rows of tables: plain functions that take numbers, counts, texts and costs.
namespace gradwire::claims {

/// A formula by its name.
struct Formula {
  std::string_view name;
  Value (*compute)(const std::vector<Value>& arguments);
};

/// Formulas of wirings and Plans.
[[nodiscard]] std::span<const Formula> plan_formulas();
/// Formulas of models and devices, and of the BML paper's jobs.
[[nodiscard]] std::span<const Formula> model_formulas();
/// A model's table, read once.
[[nodiscard]] const workloads::Model& model_of(const std::string& name);

template <class Number>
[[nodiscard]] constexpr double real(Number number) {
  return static_cast<double>(number);
}

/// An argument as a function's parameter. Throws InputError where it is of another kind.
template <class Parameter>
Parameter argument(const Value& value) {
  if constexpr (std::is_same_v<Parameter, Value>) {
    return value;
  } else if constexpr (std::is_same_v<Parameter, std::size_t>) {
    const auto number = argument<double>(value);
    if (number >= 0 && number == std::floor(number)) return static_cast<std::size_t>(number);
    throw InputError(fmt::format("a whole number is wanted, not {}", number));
  } else if constexpr (std::is_same_v<Parameter, schedule::Affine>) {
    const auto cost = argument<Numbers>(value);
    if (!cost.contains("a") || !cost.contains("b")) throw InputError("a cost is wanted");
    return {Seconds(cost.at("a")), cost.at("b")};
  } else {
    if (const auto* const found = std::get_if<Parameter>(&value)) return *found;
    throw InputError("an argument is of another kind than the formula's");
  }
}

template <class Returned, class... Parameters>
Value call(Returned (*function)(Parameters...), const std::vector<Value>& arguments) {
  constexpr std::size_t kCount = sizeof...(Parameters);
  if (arguments.size() != kCount) throw InputError(fmt::format("it takes {} arguments", kCount));
  const auto returned = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return function(argument<std::decay_t<Parameters>>(arguments[I])...);
  }
  (std::make_index_sequence<kCount>());
  if constexpr (std::is_arithmetic_v<Returned>) {
    return real(returned);
  } else {
    return returned;
  }
}

/// A function as what a Formula computes.
template <auto function>
Value as(const std::vector<Value>& arguments) {
  return call(+function, arguments);
}

}  // namespace gradwire::claims
