#include "text/spec.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace gradwire::text {
namespace {

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_value(std::string_view text) {
  constexpr std::string_view kAlso = "._:+-";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           kAlso.find(c) != std::string_view::npos;
  });
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw InputError(fmt::format("'{}': {}", text, why));
}

void add_flag(Spec& spec, std::string_view flag, std::string_view text) {
  if (!is_word(flag)) refuse(text, fmt::format("'{}' is neither a flag nor key=value", flag));
  if (std::ranges::find(spec.flags, flag) != spec.flags.end()) {
    refuse(text, fmt::format("'{}' is given twice", flag));
  }
  spec.flags.emplace_back(flag);
}

void add_option(Spec& spec, std::string_view key, std::string_view value, std::string_view text) {
  if (!is_word(key)) refuse(text, fmt::format("'{}' is not the name of an option", key));
  if (!is_value(value)) refuse(text, fmt::format("'{}' is not a value for '{}'", value, key));
  if (!spec.options.emplace(key, value).second) {
    refuse(text, fmt::format("'{}' is given twice", key));
  }
}

void add_argument(Spec& spec, std::string_view argument, std::string_view text) {
  const std::size_t equals = argument.find('=');
  if (trim(argument).empty()) refuse(text, "an argument is empty");
  if (equals == std::string_view::npos) return add_flag(spec, trim(argument), text);
  add_option(spec, trim(argument.substr(0, equals)), trim(argument.substr(equals + 1)), text);
}

}  // namespace

Spec parse_spec(std::string_view text) {
  const std::size_t open = text.find('(');
  Spec spec{.name = std::string(trim(text.substr(0, open)))};
  if (!is_word(spec.name)) {
    refuse(text, fmt::format("expected a name such as 'ring' or 'ps(servers=1)'"));
  }
  if (open == std::string_view::npos) return spec;
  std::string_view rest = trim(text.substr(open + 1));
  if (rest.empty() || rest.back() != ')') refuse(text, "the ')' is missing");
  rest.remove_suffix(1);
  for (;;) {
    const std::size_t comma = rest.find(',');
    add_argument(spec, rest.substr(0, comma), text);
    if (comma == std::string_view::npos) return spec;
    rest.remove_prefix(comma + 1);
  }
}

std::string to_string(const Spec& spec) {
  std::vector<std::string> arguments = spec.flags;
  for (const auto& [key, value] : spec.options) {
    arguments.push_back(fmt::format("{}={}", key, value));
  }
  if (arguments.empty()) return spec.name;
  return fmt::format("{}({})", spec.name, fmt::join(arguments, ", "));
}

}  // namespace gradwire::text
