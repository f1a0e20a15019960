#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/claims/formulas.h"
#include "results/claims/runs.h"

/// The small language of claims.yaml.
///
///     2 * (N - 1) / N              numbers, variables, + - * / ^, and < > <= >= == and `and`, which
///                                  give 1 or 0
///     BML-20a, BML-34[1]           a published number, an item of a list of them
///     bml.t_f, all.optimum         a quantity of a row, one of several numbers
///     t_f('ring', 'ring({n})')     a formula of formulas.cc; a text between quotes is a template
///
/// A text where a number is wanted is the id of a published number, or an expression. In a template
/// {...} holds an expression, after a colon with a format as fmt has it; an id without a format shows
/// what is printed, with its unit; empty braces, as {:.2f}, show the number that is held against
/// something.
namespace gradwire::claims {

/// Names that an expression may use, and the rows in which it finds what it selects.
struct Scope {
  std::map<std::string, Value, std::less<>> variables = {};
  const Rows* rows = nullptr;  ///< null in theory
};

/// The value of an expression. Throws InputError, without a place, for what is none, and NotRun for
/// a row that is not there.
[[nodiscard]] Value evaluate(std::string_view expression, const Scope& scope);
/// The number that an expression gives. Throws as evaluate(), also for what is no number.
[[nodiscard]] double evaluate_number(std::string_view expression, const Scope& scope);
/// A template with its braces filled in; `value` is what empty ones show. Throws as evaluate().
[[nodiscard]] std::string expand(std::string_view text, const Scope& scope,
                                 std::optional<double> value = std::nullopt);

}  // namespace gradwire::claims
