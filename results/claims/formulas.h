#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "results/claims/runs.h"
#include "schedule/cost.h"

/// Formulas that claims are computed from: this project's Plans, costs and schedules, each by the
/// name that claims.yaml calls it.
namespace gradwire::claims {

/// Several numbers by name: what an iteration takes by four schedules, the a and b of a line.
using Numbers = std::map<std::string, double, std::less<>>;

/// A value of claims.yaml: a number, a text, several numbers, a row to be found, or one that was.
using Value = std::variant<double, std::string, Numbers, Wanted, Result>;

/// The value of a formula, computed once for the same arguments, which are numbers, texts and costs.
/// Throws InputError for an unknown formula, and for arguments that it does not take.
[[nodiscard]] Value formula(std::string_view name, const std::vector<Value>& arguments);

/// The a and b of a cost.
[[nodiscard]] Numbers numbers_of(const schedule::Affine& line);

/// 2(N-1)/N.
[[nodiscard]] constexpr double two_t_f(std::size_t ranks) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

}  // namespace gradwire::claims
