#include "results/report/gate.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include <fmt/core.h>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::report {
namespace {

std::string failure_reason(const Gate& gate, const record::Row& row) {
  if (row.wrong.value_or(0) != 0) {
    return fmt::format("{} elements are wrong, so its time means nothing", *row.wrong);
  }
  const std::optional<double> efficiency = row.rates().efficiency;
  if (!efficiency) return "no bound, so no efficiency to judge it by";
  if (*efficiency >= gate.min_efficiency - record::kBoundSlack) return "";
  // Rounded down, so that no failure reads like a pass.
  return fmt::format("eff {:.1f} %, asked for {:g} %", std::floor(*efficiency * 1000) / 10,
                     gate.min_efficiency * 100);
}

}  // namespace

std::string GateFailure::message() const {
  return fmt::format("{}: {}", record::point_name(configuration), reason);
}

double parse_efficiency(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, end);
  const bool percent = unit == "%" || unit == " %";
  const double efficiency = percent ? value / 100 : value;
  if (error != std::errc() || !(percent || unit.empty()) || !(efficiency > 0 && efficiency <= 1)) {
    throw InputError(fmt::format(
        "'{}' is not an efficiency above 0 and up to 100 %; write it as 90% or 0.9", text));
  }
  return efficiency;
}

std::vector<GateFailure> failures(const Gate& gate, std::span<const record::Row> rows) {
  std::vector<GateFailure> failures;
  for (const record::Row& row : rows) {
    const std::string reason = failure_reason(gate, row);
    if (!reason.empty()) {
      failures.push_back({.configuration = row.configuration, .reason = reason});
    }
  }
  return failures;
}

}  // namespace gradwire::report
