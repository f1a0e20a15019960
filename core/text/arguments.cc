#include "core/text/arguments.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/suggest.h"
#include "core/text/text_check.h"
#include "core/to_number.h"
#include "core/units.h"

namespace gradwire::text {
namespace {

using Value = OptionForm::Value;

}  // namespace

std::string form_of(const OptionForm& option) {
  return fmt::format("{}{}", option.key, option.value == Value::none ? "" : "=...");
}

std::string forms_of(std::span<const OptionForm> options) {
  std::vector<std::string> forms;
  for (const OptionForm& option : options) forms.push_back(form_of(option));
  return fmt::format("{}", fmt::join(forms, ", "));
}

Arguments::Arguments(std::string_view form, Spec spec, std::span<const OptionForm> options)
    : form_(form), spec_(std::move(spec)), options_(options) {
  if (!spec_.file.empty()) refuse(fmt::format("it takes no file, such as {}", shown(spec_.file)));
  for (const std::string& flag : spec_.flags) check_known(flag, false);
  for (const auto& [key, value] : spec_.options) check_known(key, true);
}

bool Arguments::has(std::string_view key) const {
  return std::ranges::find(spec_.flags, key) != spec_.flags.end() ||
         spec_.options.contains(std::string(key));
}

std::size_t Arguments::number(std::string_view key) const {
  const std::string_view text = value_of(key, Value::number);
  try {
    return parse_count(text);
  } catch (const InputError& error) {
    refuse(fmt::format("{}={}: {}", key, text, error.what()));
  }
}

std::uint64_t Arguments::bytes(std::string_view key) const {
  const std::string_view text = value_of(key, Value::bytes);
  const std::uint64_t value = parse_bytes(std::string(text));
  if (value == 0) refuse(fmt::format("{}={} is nothing", key, text));
  return value;
}

Nanoseconds Arguments::duration(std::string_view key) const {
  const std::string_view text = value_of(key, Value::duration);
  try {
    return parse_duration(text);
  } catch (const InputError& error) {
    refuse(fmt::format("{}={}: {}", key, text, error.what()));
  }
}

double Arguments::decimal(std::string_view key, double least, double most) const {
  const std::string_view text = value_of(key, Value::decimal);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  // Not a number compares false, and is refused.
  const bool good = error == std::errc() && stop == end && number >= least && number <= most;
  if (!good)
    refuse(fmt::format("{}={} is not a decimal number from {} to {}", key, text, least, most));
  return number;
}

std::size_t Arguments::number_or(std::string_view key, std::size_t otherwise) const {
  return has(key) ? number(key) : otherwise;
}

std::size_t Arguments::index_or(std::string_view key, std::size_t otherwise) const {
  if (!has(key)) return otherwise;
  const std::string_view text = value_of(key, Value::index);
  const auto index = to_number<std::size_t>(text);
  if (!index) refuse(fmt::format("{}={}: {} is not a whole number from 0", key, text, shown(text)));
  return *index;
}

std::uint64_t Arguments::bytes_or(std::string_view key, std::uint64_t otherwise) const {
  return has(key) ? bytes(key) : otherwise;
}

std::optional<std::string> Arguments::word(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return std::string(value_of(key, Value::word));
}

void Arguments::check_known(std::string_view key, bool has_value) const {
  const auto option = std::ranges::find(options_, key, &OptionForm::key);
  if (option == options_.end()) {
    if (options_.empty())
      throw InputError(fmt::format("{} takes no options, not '{}'", form_, key));
    std::vector<std::string> keys;
    for (const OptionForm& each : options_) keys.emplace_back(each.key);
    throw InputError(fmt::format("{}; {} takes: {}", unknown_name("option", key, keys), form_,
                                 forms_of(options_)));
  }
  if (has_value && option->value == Value::none) {
    refuse(fmt::format("{} stands alone, without a value", key));
  }
  if (!has_value && option->value != Value::none) {
    refuse(fmt::format("{} needs a value: {}", key, form_of(*option)));
  }
}

std::string_view Arguments::value_of(std::string_view key, Value value) const {
  const auto option = std::ranges::find(options_, key, &OptionForm::key);
  ensure(option != options_.end() && option->value == value, "a row has every option that is read");
  const auto given = spec_.options.find(std::string(key));
  return given == spec_.options.end() ? option->otherwise : given->second;
}

void Arguments::refuse(std::string_view why) const {
  throw InputError(fmt::format("{}: {}", form_, why));
}

std::size_t parse_count(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range) {
    throw InputError(fmt::format("{} is too large", shown(text)));
  }
  if (error != std::errc() || stop != end || number == 0) {
    throw InputError(fmt::format("{} is not a whole number above 0", shown(text)));
  }
  return number;
}

}  // namespace gradwire::text
