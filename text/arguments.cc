#include "text/arguments.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/to_number.h"
#include "core/units.h"

namespace gradwire::text {

bool Arguments::flag(const std::string& name) {
  flags_.insert(name);
  return std::ranges::find(spec_.flags, name) != spec_.flags.end();
}

std::size_t Arguments::number(const std::string& name, std::size_t otherwise) {
  const std::string* const text = find(name);
  if (text == nullptr) return otherwise;
  const auto value = to_number<std::size_t>(*text);
  if (!value || *value == 0) {
    throw InputError(
        fmt::format("{}: {}={} is not a whole number above 0", spec_.name, name, *text));
  }
  return *value;
}

std::uint64_t Arguments::bytes(const std::string& name, std::uint64_t otherwise) {
  const std::string* const text = find(name);
  if (text == nullptr) return otherwise;
  const std::uint64_t value = parse_bytes(*text);
  if (value == 0) throw InputError(fmt::format("{}: {}={} is nothing", spec_.name, name, *text));
  return value;
}

void Arguments::finish() const {
  for (const std::string& flag : spec_.flags) check_known(flag, flags_);
  for (const auto& [key, value] : spec_.options) check_known(key, options_);
}

const std::string* Arguments::find(const std::string& name) {
  options_.insert(name);
  const auto found = spec_.options.find(name);
  return found == spec_.options.end() ? nullptr : &found->second;
}

void Arguments::check_known(const std::string& name, const std::set<std::string>& known) const {
  if (known.contains(name)) return;
  if (flags_.contains(name)) {
    throw InputError(fmt::format("{}: {} stands alone, without a value", spec_.name, name));
  }
  if (options_.contains(name)) {
    throw InputError(fmt::format("{}: {} needs a value: {}=...", spec_.name, name, name));
  }
  std::vector<std::string> all(flags_.begin(), flags_.end());
  for (const std::string& option : options_) all.push_back(option + "=...");
  throw InputError(all.empty() ? fmt::format("{} takes no arguments, not '{}'", spec_.name, name)
                               : fmt::format("{} has no argument '{}'; it takes: {}", spec_.name,
                                             name, fmt::join(all, ", ")));
}

}  // namespace gradwire::text
