#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text/yaml_document.h"
#include "core/to_number.h"
#include "core/units.h"

namespace gradwire::text {

/// Calls `parse`, and adds the place to an InputError that has none.
template <class Parse>
auto at(const SourcePlace& place, const Parse& parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    if (error.has_place()) throw;
    throw InputError(place, error.what());
  }
}

/// A number of a document that matches its schema. The schema lets only numbers of this kind
/// through, in a form that from_chars reads whole, except for the "-0" of an unsigned number.
template <class Number>
Number number(std::string_view text) {
  if (std::unsigned_integral<Number> && to_number<int>(text) == 0) text = "0";
  const auto value = to_number<Number>(text);
  ensure(value.has_value(), "the schema admits numbers");
  return *value;
}

/// A scalar and its place.
struct YamlText {
  std::string text;
  SourcePlace place;
};

/// The keys of one map, read with their defaults. The document must outlive it.
class YamlReader {
 public:
  YamlReader(const YamlDocument& document, const YamlNode& map) : document_(document), map_(map) {}

  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, const char* otherwise) const {
    return text(key).value_or(otherwise);
  }
  template <class Number>
  [[nodiscard]] Number value(std::string_view key, Number otherwise) const {
    const std::optional<std::string> written = text(key);
    return written ? number<Number>(*written) : otherwise;
  }
  /// The truth value of a key. Requires a value that the schema admits as true or false.
  [[nodiscard]] bool truth(std::string_view key, bool otherwise) const {
    const std::string written = text(key, otherwise ? "true" : "false");
    return written.front() == 't' || written.front() == 'T';
  }
  /// The duration of a key, if it is there. Throws InputError for a text that is no duration, and
  /// for 0.
  [[nodiscard]] std::optional<Nanoseconds> duration(std::string_view key) const;
  /// The map under a key, or nothing.
  [[nodiscard]] std::optional<YamlReader> map(std::string_view key) const;
  /// The maps of a list of maps; empty when the key is absent.
  [[nodiscard]] std::vector<YamlReader> maps(std::string_view key) const;
  /// The places of the maps in a list of maps; empty when the key is absent.
  [[nodiscard]] std::vector<SourcePlace> places(std::string_view key) const;
  /// The items of a list of scalars; empty when the key is absent.
  [[nodiscard]] std::vector<YamlText> list(std::string_view key) const;
  /// The place of the key's value. Requires that the key is there.
  [[nodiscard]] SourcePlace place(std::string_view key) const;

 private:
  const YamlDocument& document_;
  const YamlNode& map_;
};

}  // namespace gradwire::text
