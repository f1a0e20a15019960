#include "results/claims/printed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "results/report/page/references.h"

namespace gradwire::claims {
namespace {

NumbersInstead::Instead& numbers_instead() {
  static NumbersInstead::Instead instead;
  return instead;
}

}  // namespace

bool is_printed(std::string_view text) {
  if (text.empty() || text.front() < 'A' || text.front() > 'Z') return false;
  const auto& all = report::published_numbers();
  return std::ranges::find(all, text, &report::PublishedNumber::id) != all.end();
}

std::string printed(std::string_view id) {
  const report::PublishedNumber& number = report::published(id);
  const nlohmann::json& value = number.value;
  const auto show = [](const nlohmann::json& one) {
    return one.is_number() ? fmt::format("{:.6g}", one.get<double>()) : one.dump();
  };
  std::vector<std::string> parts;
  if (value.is_string()) parts.push_back(value.get<std::string>());
  if (value.is_number()) parts.push_back(show(value));
  if (value.is_array()) {
    for (const nlohmann::json& item : value) parts.push_back(show(item));
  }
  return fmt::format("{} {}", fmt::join(parts, number.kind == "range" ? "-" : ", "), number.unit);
}

double number_of(std::string_view id, std::size_t index) {
  if (!is_printed(id)) throw InputError(fmt::format("no published number is called '{}'", id));
  const nlohmann::json& all = report::published(id).value;
  const nlohmann::json item = all.is_array() && index < all.size() ? all[index] : all;
  if (!item.is_number()) throw InputError(fmt::format("{} has no number {}", id, index));
  const auto number = item.get<double>();
  return numbers_instead() ? numbers_instead()(id, index, number) : number;
}

NumbersInstead::NumbersInstead(Instead instead) {
  ensure(!numbers_instead(), "one NumbersInstead lives at a time");
  numbers_instead() = std::move(instead);
}

NumbersInstead::~NumbersInstead() {
  numbers_instead() = nullptr;
}

}  // namespace gradwire::claims
