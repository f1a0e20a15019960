#include "results/claims/check.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::claims {
namespace {

/// Shares of what is expected.
struct Limits {
  double reproduced;
  double otherwise;  ///< share where a claim names none
};

Limits limits_of(Column column) {
  switch (column) {
    case Column::theory:
      return {0.005, 0.001};
    case Column::simulated:
      return {0.01, 0.01};
    case Column::measured:
      return {0.03, 0.05};
  }
  throw_bug("evidence stands in a Column");
}

}  // namespace

double Check::deviation() const {
  if (relation == Relation::less || relation == Relation::holds) return 0;
  return expected.value == 0 ? value : value / expected.value - 1;
}

bool Check::fails() const {
  if (!is_judged || is_refused) return false;
  switch (relation) {
    case Relation::near:
      return !(std::abs(deviation()) <= tolerance);
    case Relation::less:
      return !(value < expected.value);
    case Relation::count:
      return value != expected.value;
    case Relation::holds:
      return value != 1;
  }
  throw_bug("a check has a Relation");
}

bool Check::is_compared() const {
  return !is_refused && (relation == Relation::near || relation == Relation::count);
}

double Check::reproduced_within() const {
  return limits_of(strictness).reproduced;
}

std::string Check::complaint() const {
  if (relation == Relation::holds) return "not so: " + name;
  const char* const wanted = relation == Relation::less ? "less than " : "";
  return fmt::format("{}: {:.4g} where {}{:.4g} is expected", name, value, wanted, expected.value);
}

double usual_tolerance(Column column) {
  return limits_of(column).otherwise;
}

}  // namespace gradwire::claims
