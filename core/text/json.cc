#include "core/text/json.h"

#include <algorithm>

#include "core/hex.h"

namespace gradwire::text {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const json& value, std::string_view wanted) {
  throw JsonError(fmt::format("is {}, not {}", value.type_name(), wanted));
}

}  // namespace

JsonError::JsonError(const std::string& path, const std::string& problem)
    : std::runtime_error(path.empty() ? problem : path + ": " + problem),
      path_(path),
      problem_(problem) {}

JsonError JsonError::inside(std::string_view part) const {
  return {path_.empty() ? std::string(part) : fmt::format("{}/{}", part, path_), problem_};
}

namespace detail {

std::string hex_of(std::span<const std::uint8_t> bytes) {
  return to_hex(std::string(bytes.begin(), bytes.end()));
}

void bytes_of(const json& value, std::span<std::uint8_t> bytes) {
  const auto read = from_hex(string_of(value));
  if (!read || read->size() != bytes.size()) {
    throw JsonError(fmt::format("is not {} hexadecimal digits", 2 * bytes.size()));
  }
  std::ranges::copy(*read, bytes.begin());
}

double real_of(const json& value) {
  if (!value.is_number()) refuse(value, "a number");
  return value.get<double>();
}

bool truth_of(const json& value) {
  if (!value.is_boolean()) refuse(value, "true or false");
  return value.get<bool>();
}

const std::string& string_of(const json& value) {
  if (!value.is_string()) refuse(value, "a string");
  return value.get_ref<const std::string&>();
}

void require_array(const json& value, std::optional<std::size_t> count) {
  if (!value.is_array()) refuse(value, "an array");
  if (count && value.size() != *count) {
    throw JsonError(fmt::format("has {} values, not {}", value.size(), *count));
  }
}

const json* find(const json& object, std::string_view name) {
  if (!object.is_object()) refuse(object, "an object");
  const auto found = object.find(std::string(name));
  return found == object.end() ? nullptr : &*found;
}

}  // namespace detail
}  // namespace gradwire::text
