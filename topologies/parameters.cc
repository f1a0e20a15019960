#include "topologies/parameters.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

using Value = OptionForm::Value;

[[noreturn]] void refuse(std::string_view whole, std::string_view why) {
  throw InputError(fmt::format("wiring {}: {}", shown(whole), why));
}

std::size_t parse_number(std::string_view text, std::string_view whole) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range) {
    refuse(whole, fmt::format("{} is too large", shown(text)));
  }
  if (error != std::errc() || stop != end || number == 0) {
    refuse(whole, fmt::format("parameters are positive whole numbers, not {}", shown(text)));
  }
  return number;
}

double parse_speed(std::string_view text, std::string_view whole) {
  double speed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, speed, std::chars_format::fixed);
  // Not a number compares false, and is refused.
  const bool good = error == std::errc() && stop == end && speed >= kMinSpeed && speed <= kMaxSpeed;
  if (!good) {
    refuse(whole,
           fmt::format("a speed is a decimal number from {} to {} times the link rate, not {}",
                       kMinSpeed, kMaxSpeed, shown(text)));
  }
  return speed;
}

std::string known_options(const ParameterForm& form) {
  std::string text;
  for (const OptionForm& option : form.options) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", form_of(option));
  }
  return text.empty() ? fmt::format("{} has no options", form.form)
                      : fmt::format("the options of {} are {}", form.form, text);
}

void add_option(Parameters& parameters, std::string_view text, std::string_view whole,
                const ParameterForm& form) {
  const std::size_t equals = text.find('=');
  const std::string key(trimmed(text.substr(0, equals)));
  const auto option = std::ranges::find(form.options, key, &OptionForm::key);
  if (option == form.options.end()) {
    refuse(whole, fmt::format("unknown option {}: {}", shown(key), known_options(form)));
  }
  if (parameters.has_flag(key) || parameters.counts.contains(key) ||
      parameters.speeds.contains(key)) {
    refuse(whole, fmt::format("{} is given twice", key));
  }
  const bool has_value = equals != std::string_view::npos;
  if (has_value != (option->value != Value::none)) {
    refuse(whole, fmt::format("{} {}", key, has_value ? "takes no value" : "needs a value"));
  }
  const std::string_view value = has_value ? trimmed(text.substr(equals + 1)) : "";
  if (option->value == Value::none) parameters.flags.push_back(key);
  if (option->value == Value::number) parameters.counts[key] = parse_number(value, whole);
  if (option->value == Value::speed) parameters.speeds[key] = parse_speed(value, whole);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string form_of(const OptionForm& option) {
  return fmt::format("{}{}", option.key, option.value == Value::none ? "" : "=...");
}

bool Parameters::has_flag(std::string_view key) const {
  return std::ranges::find(flags, key) != flags.end();
}

std::size_t Parameters::count_or(std::string_view key, std::size_t otherwise) const {
  const auto found = counts.find(key);
  return found == counts.end() ? otherwise : found->second;
}

double Parameters::speed_or(std::string_view key, double otherwise) const {
  const auto found = speeds.find(key);
  return found == speeds.end() ? otherwise : found->second;
}

Parameters parse_parameters(std::string_view list, std::string_view whole,
                            const ParameterForm& form) {
  const auto wrong_count = [&] {
    refuse(whole, fmt::format("that is not the right number of parameters, write {}", form.form));
  };
  // Counted before they are read, so that a list of a million numbers costs nothing. One more than
  // there are options, for one that is given twice.
  const auto parts = static_cast<std::size_t>(std::ranges::count(list, ',')) + 1;
  if (parts > form.most + form.options.size() + 1) wrong_count();
  Parameters parameters;
  bool options = false;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view part = trimmed(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const bool named = !part.empty() && is_letter(part.front());
    options = options || part.find('=') != std::string_view::npos || (named && i >= form.fewest);
    if (!options && i >= form.most) wrong_count();
    if (options && i < form.fewest) wrong_count();
    if (options) {
      add_option(parameters, part, whole, form);
    } else {
      parameters.numbers.push_back(parse_number(part, whole));
    }
  }
  if (parameters.numbers.size() < form.fewest) wrong_count();
  return parameters;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string copy(text.substr(0, kLongest));
  std::replace_if(
      copy.begin(), copy.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", copy, text.size() > kLongest ? "..." : "");
}

std::string speed_suffix(double speed) {
  return speed == 1 ? std::string() : fmt::format(",speed={}", speed);
}

}  // namespace gradwire::topologies
