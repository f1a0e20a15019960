#include "core/text/spec.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::text {
namespace {

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_flag(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_word(std::string_view text) {
  return is_flag(text) && is_letter(text.front());
}

bool is_value(std::string_view text) {
  constexpr std::string_view kAlso = "._:+-/";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           kAlso.find(c) != std::string_view::npos;
  });
}

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw InputError(fmt::format("{}: {}", shown(text), why));
}

void add_flag(Spec& spec, std::string_view flag) {
  if (!is_flag(flag)) refuse(spec.name, shown(flag) + " is neither a flag nor key=value");
  if (std::ranges::find(spec.flags, flag) != spec.flags.end()) {
    refuse(spec.name, fmt::format("{} is given twice", flag));
  }
  spec.flags.emplace_back(flag);
}

void add_option(Spec& spec, std::string_view key, std::string_view value) {
  if (!is_word(key)) refuse(spec.name, shown(key) + " is not the name of an option");
  const bool is_call = value.find('(') != std::string_view::npos;
  if (!is_call && !is_value(value)) {
    refuse(spec.name, fmt::format("{} is not a value for {}", shown(value), key));
  }
  if (std::ranges::count(value, '(') > 1) refuse(value, "parentheses hold no others");
  if (!spec.options.emplace(key, is_call ? to_string(parse_spec(value)) : std::string(value))
           .second) {
    refuse(spec.name, fmt::format("{} is given twice", key));
  }
}

/// Whether the text in the parentheses is the path of a file: before any '=' there is a '.' or '/',
/// which no flag and no key has.
bool is_file(std::string_view inside) {
  const std::size_t mark = inside.find_first_of("./=");
  return mark != std::string_view::npos && inside[mark] != '=';
}

void check_file(std::string_view file) {
  const bool is_plain = std::ranges::none_of(file, [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '"' || c == '\\';
  });
  if (!is_plain) refuse(file, "a file's path has no quotes, backslashes or control characters");
}

/// The end of the list's first argument: a comma outside parentheses, or the end of the list.
std::size_t end_of_first(std::string_view list) {
  std::size_t open = 0;
  bool is_closed = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (open == 0 && list[i] == ',') return i;
    if (list[i] == ')' ? open == 0 : is_closed && list[i] != ' ') {
      throw InputError("there is text after the closing parenthesis");
    }
    if (list[i] == '(') ++open;
    if (list[i] == ')') is_closed = --open == 0;
  }
  if (open > 0) throw InputError("the closing parenthesis is missing");
  return list.size();
}

std::vector<std::string_view> arguments_of(std::string_view list) {
  // Counted before they are read, so that a list of a million costs nothing.
  if (std::ranges::count(list, ',') >= static_cast<std::ptrdiff_t>(kMostArguments)) {
    throw InputError("there are too many arguments");
  }
  std::vector<std::string_view> arguments;
  for (;;) {
    const std::size_t end = end_of_first(list);
    arguments.push_back(trimmed(list.substr(0, end)));
    if (end == list.size()) return arguments;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

Call parse_call(std::string_view text, Parentheses parentheses) {
  const std::string_view whole = trimmed(text);
  const std::size_t open = whole.find('(');
  Call call{.name = trimmed(whole.substr(0, open)), .arguments = {}};
  if (open == std::string_view::npos) return call;
  const std::size_t close = whole.rfind(')');
  if (close == std::string_view::npos || close < open) {
    throw InputError("the closing parenthesis is missing");
  }
  if (close + 1 != whole.size()) throw InputError("there is text after the closing parenthesis");
  const std::string_view list = trimmed(whole.substr(open + 1, close - open - 1));
  if (list.empty()) throw InputError("the parameters are missing between the parentheses");
  if (parentheses == Parentheses::path) {
    call.arguments = {list};
  } else {
    call.arguments = arguments_of(list);
  }
  return call;
}

Spec make_spec(std::string_view name, std::span<const std::string_view> arguments) {
  Spec spec{.name = std::string(name)};
  for (const std::string_view argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (argument.empty()) refuse(name, "an argument is empty");
    if (equals == std::string_view::npos) {
      add_flag(spec, argument);
    } else {
      add_option(spec, trimmed(argument.substr(0, equals)), trimmed(argument.substr(equals + 1)));
    }
  }
  return spec;
}

Spec parse_spec(std::string_view text) {
  const auto call = [&](Parentheses parentheses) {
    try {
      return parse_call(text, parentheses);
    } catch (const InputError& error) {
      refuse(text, error.what());
    }
  };
  const Call whole = call(Parentheses::path);
  if (!is_word(whole.name)) refuse(text, "expected a name such as ring or ps(servers=1)");
  if (!whole.arguments.empty() && is_file(whole.arguments.front())) {
    check_file(whole.arguments.front());
    return {.name = std::string(whole.name), .file = std::string(whole.arguments.front())};
  }
  return make_spec(whole.name, call(Parentheses::list).arguments);
}

std::string to_string(const Spec& spec) {
  if (!spec.file.empty()) return fmt::format("{}({})", spec.name, spec.file);
  std::vector<std::string> arguments = spec.flags;
  for (const auto& [key, value] : spec.options) {
    arguments.push_back(fmt::format("{}={}", key, value));
  }
  if (arguments.empty()) return spec.name;
  return fmt::format("{}({})", spec.name, fmt::join(arguments, ", "));
}

}  // namespace gradwire::text
