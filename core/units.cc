#include "core/units.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

/// A number and its unit: "12.5 MiB" is 12.5 and "MiB".
struct Quantity {
  double number;
  std::string_view unit;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

std::optional<Quantity> split_quantity(std::string_view text) {
  text = trim(text);
  Quantity quantity{};
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc() || !std::isfinite(quantity.number)) return std::nullopt;
  quantity.unit = trim(text.substr(static_cast<std::size_t>(rest - text.data())));
  return quantity;
}

std::optional<double> scaled(std::string_view text, std::span<const Unit> units) {
  const std::optional<Quantity> quantity = split_quantity(text);
  if (!quantity) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name == quantity->unit) return quantity->number * unit.factor;
  }
  return std::nullopt;
}

constexpr std::array kBitRates = std::to_array<Unit>({
    {"", 1},
    {"bit", 1},
    {"bit/s", 1},
    {"bps", 1},
    {"kbit", 1e3},
    {"kbit/s", 1e3},
    {"kbps", 1e3},
    {"Mbit", 1e6},
    {"Mbit/s", 1e6},
    {"Mbps", 1e6},
    {"Gbit", 1e9},
    {"Gbit/s", 1e9},
    {"Gbps", 1e9},
    {"Tbit", 1e12},
    {"Tbit/s", 1e12},
    {"Tbps", 1e12},
});

constexpr std::array kBytes = std::to_array<Unit>({
    {"", 1},
    {"B", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"KiB", 1024.},
    {"MiB", 1048576.},
    {"GiB", 1073741824.},
});

constexpr std::array kDurations = std::to_array<Unit>({
    {"ns", 1},
    {"us", 1e3},
    {"ms", 1e6},
    {"s", 1e9},
    {"min", 6e10},
});

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
  const std::optional<double> rate = scaled(text, kBitRates);
  if (!rate || *rate <= 0) {
    throw InputError(
        fmt::format("'{}' is not a link rate; write for example 40Gbit or 500 Mbit/s", text));
  }
  return {*rate};
}

std::uint64_t parse_bytes(std::string_view text) {
  const std::optional<double> bytes = scaled(text, kBytes);
  constexpr double kLargest = 9.0e15;  // every whole number up to here is exact in a double
  if (!bytes || *bytes < 0 || *bytes > kLargest || *bytes != std::floor(*bytes)) {
    throw InputError(fmt::format(
        "'{}' is not a whole number of bytes; write for example 4096, 64KiB or 12.5MiB", text));
  }
  return static_cast<std::uint64_t>(*bytes);
}

Nanoseconds parse_duration(std::string_view text) {
  const std::optional<double> duration = scaled(text, kDurations);
  constexpr double kLargest = 9.0e18;  // 285 years
  if (!duration || *duration < 0 || *duration > kLargest) {
    throw InputError(
        fmt::format("'{}' is not a duration; write for example 10s, 1.5ms or 250us", text));
  }
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::llround(*duration)));
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
