#include "core/text/yaml_reader.h"

#include <fmt/core.h>

namespace gradwire::text {

std::optional<std::string> YamlReader::text(std::string_view key) const {
  const YamlEntry* const entry = map_.find(key);
  if (entry == nullptr) return std::nullopt;
  return entry->value.text;
}

std::optional<Nanoseconds> YamlReader::duration(std::string_view key) const {
  const std::optional<std::string> value = text(key);
  if (!value) return std::nullopt;
  const Nanoseconds parsed = at(place(key), [&] { return parse_duration(*value); });
  if (parsed <= Nanoseconds::zero()) {
    throw InputError(place(key),
                     fmt::format("{}: '{}' is zero; write a time above 0", key, *value));
  }
  return parsed;
}

std::optional<YamlReader> YamlReader::map(std::string_view key) const {
  const YamlEntry* const entry = map_.find(key);
  if (entry == nullptr) return std::nullopt;
  return YamlReader(document_, entry->value);
}

std::vector<YamlText> YamlReader::list(std::string_view key) const {
  std::vector<YamlText> items;
  const YamlEntry* const entry = map_.find(key);
  if (entry == nullptr) return items;
  for (const YamlNode& item : entry->value.items) {
    items.push_back({.text = item.text, .place = document_.place(item.position)});
  }
  return items;
}

std::vector<YamlReader> YamlReader::maps(std::string_view key) const {
  std::vector<YamlReader> maps;
  const YamlEntry* const entry = map_.find(key);
  if (entry == nullptr) return maps;
  for (const YamlNode& item : entry->value.items) maps.emplace_back(document_, item);
  return maps;
}

std::vector<SourcePlace> YamlReader::places(std::string_view key) const {
  std::vector<SourcePlace> places;
  for (const YamlReader& map : maps(key)) places.push_back(document_.place(map.map_.position));
  return places;
}

SourcePlace YamlReader::place(std::string_view key) const {
  return document_.place(map_.find(key)->value.position);
}

}  // namespace gradwire::text
