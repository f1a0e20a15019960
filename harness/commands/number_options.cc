#include "harness/commands/number_options.h"

#include <fmt/format.h>

#include "core/to_number.h"

namespace gradwire::commands {

std::uint64_t parse_whole(const std::string& text, std::uint64_t least, std::uint64_t most) {
  const auto number = to_number<std::uint64_t>(text);
  if (!number || *number < least || *number > most) {
    throw InputError(
        fmt::format("expected a whole number from {} to {}, found '{}'", least, most, text));
  }
  return *number;
}

double parse_real(const std::string& text, double least, double most) {
  const auto number = to_number<double>(text);
  if (!number || !(*number >= least && *number <= most)) {  // not a number compares false
    throw InputError(fmt::format("expected a number from {} to {}, found '{}'", least, most, text));
  }
  return *number;
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return readable(
      [least, most](std::string& text) {
        text = fmt::to_string(parse_whole(text, least, most));  // CLI11 reads 010 as 8
      },
      fmt::format("{} to {}", least, most));
}

CLI::Validator real_number(double least, double most, const std::string& bounds) {
  return readable(
      [least, most](std::string& text) {
        text = fmt::format("{:.17g}", parse_real(text, least, most));
      },
      bounds);
}

}  // namespace gradwire::commands
