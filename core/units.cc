#include "core/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

/// A decimal number: digits * 10^exponent, exactly.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// A number as it is written, and its unit: "12.5 MiB" is "12.5" and "MiB".
struct Quantity {
  std::string_view number;
  std::string_view unit;
};

/// Blanks of Unicode that people's tools write between number and unit.
constexpr std::array<std::string_view, 3> kWideBlanks{"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

/// The text cut behind its number: digits, a point and an exponent, without a sign. Nothing if it
/// begins with no such number.
std::optional<Quantity> split_quantity(std::string_view text) {
  text = trim(text);
  if (text.empty() ||
      (std::isdigit(static_cast<unsigned char>(text.front())) == 0 && text.front() != '.')) {
    return std::nullopt;
  }
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) return std::nullopt;
  const auto length = static_cast<std::size_t>(rest - text.data());
  Quantity quantity{.number = text.substr(0, length), .unit = trim(text.substr(length))};
  for (const std::string_view blank : kWideBlanks) {
    if (quantity.unit.starts_with(blank)) quantity.unit.remove_prefix(blank.size());
  }
  return quantity;
}

/// The number, or nothing if a double does not hold it.
std::optional<double> to_double(std::string_view number) {
  double value = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// The number without any rounding. Nothing if it has more than 19 digits that count.
std::optional<Decimal> to_decimal(std::string_view number) {
  Decimal decimal;
  const std::size_t mantissa = std::min(number.find_first_of("eE"), number.size());
  if (mantissa < number.size()) {
    std::string_view exponent = number.substr(mantissa + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto [rest, error] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
    if (error != std::errc()) return std::nullopt;
    if (decimal.exponent < -1000 || decimal.exponent > 1000) return std::nullopt;
  }
  bool behind_point = false;
  int zeros = 0;  // that count only if another digit follows
  for (const char c : number.substr(0, mantissa)) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    if (behind_point) --decimal.exponent;
    if (c == '0') {
      ++zeros;
      continue;
    }
    for (; zeros >= 0; --zeros) {
      const auto digit = static_cast<std::uint64_t>(zeros == 0 ? c - '0' : 0);
      if (decimal.digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) {
        return std::nullopt;
      }
      decimal.digits = 10 * decimal.digits + digit;
    }
    zeros = 0;
  }
  decimal.exponent += zeros;
  return decimal;
}

/// number * factor as a whole number up to `most`. Nothing if it is not one.
std::optional<std::uint64_t> whole_product(const Decimal& number, std::uint64_t factor,
                                           std::uint64_t most) {
  if (number.digits == 0) return 0;
  __extension__ typedef unsigned __int128 Wide;
  Wide product = Wide{number.digits} * factor;
  for (int i = number.exponent; i < 0; ++i) {
    if (product % 10 != 0) return std::nullopt;
    product /= 10;
  }
  for (int i = number.exponent; i > 0 && product <= most; --i) product *= 10;
  if (product > most) return std::nullopt;
  return static_cast<std::uint64_t>(product);
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  const auto found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? nullptr : &*found;
}

/// Prefixes of bit and B, longer ones first.
constexpr std::array kPrefixes = std::to_array<Unit>({
    {"Ki", 1024.},
    {"Mi", 1048576.},
    {"Gi", 1073741824.},
    {"Ti", 1099511627776.},
    {"k", 1e3},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"m", 1e6},
    {"g", 1e9},
    {"t", 1e12},
    {"", 1},
});

/// Units of rates behind a prefix, with the bits in each.
constexpr std::array kRateUnits = std::to_array<Unit>({
    {"bit", 1},
    {"bits", 1},
    {"bit/s", 1},
    {"bits/s", 1},
    {"bit/sec", 1},
    {"bits/sec", 1},
    {"b", 1},
    {"b/s", 1},
    {"b/sec", 1},
    {"bps", 1},
    {"B/s", 8},
    {"B/sec", 8},
    {"Bps", 8},
});

constexpr std::array kSizeUnits = std::to_array<Unit>({{"B", 1}, {"byte", 1}, {"bytes", 1}});

constexpr std::array kDurations = std::to_array<Unit>({
    {"ns", 1},
    {"us", 1e3},
    {"\xc2\xb5s", 1e3},  // the micro sign
    {"\xce\xbcs", 1e3},  // the Greek letter
    {"ms", 1e6},
    {"s", 1e9},
    {"sec", 1e9},
    {"min", 6e10},
    {"h", 3.6e12},
    {"d", 8.64e13},
});

/// A unit cut into its prefix and what is behind.
struct PrefixedUnit {
  const Unit* prefix;
  std::string_view rest;
};

PrefixedUnit cut_prefix(std::string_view unit) {
  const auto prefix = std::ranges::find_if(
      kPrefixes, [&](const Unit& each) { return unit.starts_with(each.name); });
  return {&*prefix, unit.substr(prefix->name.size())};  // the last one is empty
}

bool is_small(const Unit& prefix) {
  return prefix.name == "m" || prefix.name == "g" || prefix.name == "t";
}

/// A prefix as it is written beside capital B: "g" is "G".
std::string capital(const Unit& prefix) {
  std::string name(prefix.name);
  if (is_small(prefix)) name.front() = static_cast<char>(std::toupper(name.front()));
  return name;
}

[[noreturn]] void refuse_two_readings(std::string_view text, std::string_view what,
                                      std::string_view first, std::string_view second) {
  throw InputError(fmt::format("'{}' can mean two {}; write {} or {}", text, what, first, second));
}

/// Bits per second in a unit of rates. Nothing for an unknown unit. Throws InputError for one that
/// people read in two ways: tc's gbps are bytes, everybody else's are bits.
std::optional<double> rate_factor(std::string_view text, const Quantity& quantity) {
  const auto [prefix, rest] = cut_prefix(quantity.unit);
  const std::string name = capital(*prefix);
  const auto refuse = [&] {
    refuse_two_readings(text, "rates", fmt::format("{}{}bit/s", quantity.number, name),
                        fmt::format("{}{}B/s", quantity.number, name));
  };
  if (quantity.unit.empty()) {
    throw InputError(
        fmt::format("'{0}' has no unit; write {0}bit/s, {0}Mbit/s or {0}Gbit/s", quantity.number));
  }
  if (rest == "B" || rest == "byte" || rest == "bytes") refuse();
  if (is_small(*prefix) && (rest == "b" || rest == "b/s" || rest == "b/sec" || rest == "bps")) {
    refuse();
  }
  if (rest.empty() && !prefix->name.ends_with('i') && prefix->name != "m") return prefix->factor;
  const Unit* const unit = find_unit(kRateUnits, rest);
  if (unit == nullptr) return std::nullopt;
  return prefix->factor * unit->factor;
}

/// Bytes in a unit of sizes. Nothing for an unknown unit. Throws InputError for one that people
/// read in two ways: M is 10^6 to some tools and 2^20 to others, and b is a bit.
std::optional<double> size_factor(std::string_view text, const Quantity& quantity) {
  if (quantity.unit.empty()) return 1;
  const auto [prefix, rest] = cut_prefix(quantity.unit);
  const bool is_binary = prefix->name.ends_with('i');
  if (rest.empty() && is_binary) return prefix->factor;
  const bool is_short = !prefix->name.empty() && (rest.empty() || rest == "b");
  if (is_short || (is_small(*prefix) && rest == "B")) {
    const std::string letter = capital(*prefix).substr(0, 1);
    refuse_two_readings(
        text, "sizes",
        fmt::format("{}{}B (powers of 1000)", quantity.number, letter == "K" ? "k" : letter),
        fmt::format("{}{}iB (powers of 1024)", quantity.number, letter == "k" ? "K" : letter));
  }
  const Unit* const unit = find_unit(kSizeUnits, rest);
  if (unit == nullptr) return std::nullopt;
  return prefix->factor * unit->factor;
}

/// The value in the largest unit of `units` (ascending) that keeps the number at or above 1.
std::string format_scaled(double value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (std::abs(value) >= unit.factor) best = &unit;
  }
  return fmt::format("{:.4g} {}", value / best->factor, best->name);
}

}  // namespace

BitRate parse_bit_rate(std::string_view text) {
  constexpr double kLargest = 1e18;
  const std::optional<Quantity> quantity = split_quantity(text);
  const std::optional<double> factor = quantity ? rate_factor(text, *quantity) : std::nullopt;
  if (!factor) {
    throw InputError(fmt::format(
        "'{}' is not a link rate; write for example 40Gbit, 500 Mbit/s or 12.5GB/s", text));
  }
  const std::optional<double> number = to_double(quantity->number);
  const double rate = number.value_or(0) * *factor;
  if (!(rate >= 1 && rate <= kLargest)) {
    throw InputError(
        fmt::format("'{}' is not a link rate: it must be from 1 bit/s to 1000000 Tbit/s", text));
  }
  return {rate};
}

std::uint64_t parse_bytes(std::string_view text) {
  constexpr std::uint64_t kLargest = 9'000'000'000'000'000;
  const std::optional<Quantity> quantity = split_quantity(text);
  const std::optional<double> factor = quantity ? size_factor(text, *quantity) : std::nullopt;
  const std::optional<Decimal> number = factor ? to_decimal(quantity->number) : std::nullopt;
  const std::optional<std::uint64_t> bytes =
      number ? whole_product(*number, static_cast<std::uint64_t>(*factor), kLargest) : std::nullopt;
  if (!bytes) {
    throw InputError(
        fmt::format("'{}' is not a whole number of bytes up to {}; write for example "
                    "4096, 64KiB, 12.5MiB or 8.2MB",
                    text, kLargest));
  }
  return *bytes;
}

Nanoseconds parse_duration(std::string_view text) {
  constexpr double kLargest = 9.0e18;  // 285 years
  const std::optional<Quantity> quantity = split_quantity(text);
  if (quantity && quantity->unit.empty()) {
    throw InputError(
        fmt::format("'{0}' has no unit; write {0}s, {0}ms or {0}us", quantity->number));
  }
  if (quantity && quantity->unit == "m") {
    refuse_two_readings(text, "times", fmt::format("{}min", quantity->number),
                        fmt::format("{}ms", quantity->number));
  }
  const Unit* const unit = quantity ? find_unit(kDurations, quantity->unit) : nullptr;
  const std::optional<double> number = unit ? to_double(quantity->number) : std::nullopt;
  if (!number || *number * unit->factor > kLargest) {
    throw InputError(
        fmt::format("'{}' is not a duration; write for example 10s, 1.5ms, 250us or 2h", text));
  }
  const double duration = *number * unit->factor;
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::llround(duration)));
}

std::string to_string(BitRate rate) {
  constexpr auto units = std::to_array<Unit>(
      {{"bit/s", 1}, {"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9}, {"Tbit/s", 1e12}});
  return format_scaled(rate.bits_per_second, units);
}

std::string format_bytes(double bytes) {
  constexpr auto units =
      std::to_array<Unit>({{"B", 1}, {"KiB", 1024.}, {"MiB", 1048576.}, {"GiB", 1073741824.}});
  return format_scaled(bytes, units);
}

std::string format_duration(Nanoseconds duration) {
  constexpr auto units = std::to_array<Unit>({{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});
  return format_scaled(static_cast<double>(duration.count()), units);
}

}  // namespace gradwire
