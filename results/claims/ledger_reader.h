#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/suggest.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"
#include "results/claims/expression.h"
#include "results/claims/runs.h"

namespace gradwire::claims {

/// Reads the ledger, and says where it is wrong.
class Reader {
 public:
  explicit Reader(const text::YamlDocument& document) : document_(document) {}

  /// Calls `read`, and puts the node's place before an InputError that has none.
  template <class Read>
  auto at(const text::YamlNode& node, const Read& read) const {
    return text::at(document_.place(node.position), read);
  }
  [[noreturn]] void refuse(const text::YamlNode& node, const std::string& why) const {
    throw InputError(document_.place(node.position), why);
  }
  const text::YamlNode& require(const text::YamlNode& node, text::YamlKind kind,
                                const char* what) const {
    if (node.kind != kind) refuse(node, fmt::format("{} is wanted here", what));
    return node;
  }
  /// Refuses what is no map with these keys.
  void require_keys(const text::YamlNode& node, const std::vector<std::string>& keys) const {
    require(node, text::YamlKind::map, "a map");
    for (const text::YamlEntry& entry : node.entries) {
      if (std::ranges::find(keys, entry.key) != keys.end()) continue;
      throw InputError(document_.place(entry.position), text::unknown_name("key", entry.key, keys));
    }
  }
  /// The value that a map has under a key; null where it has none.
  [[nodiscard]] static const text::YamlNode* find(const text::YamlNode& map, std::string_view key) {
    const text::YamlEntry* const entry = map.find(key);
    return entry == nullptr ? nullptr : &entry->value;
  }
  [[nodiscard]] const text::YamlNode& get(const text::YamlNode& map, std::string_view key) const {
    const text::YamlNode* const value = find(map, key);
    if (value == nullptr) refuse(map, fmt::format("'{}' is missing", key));
    return *value;
  }
  [[nodiscard]] const std::string& text(const text::YamlNode& node) const {
    return require(node, text::YamlKind::scalar, "a text").text;
  }
  /// The list that stands under a name in lists or checks.
  [[nodiscard]] const text::YamlNode& named(const text::YamlNode& all, const text::YamlNode& where,
                                            const std::string& name) const {
    const text::YamlNode* const found = find(all, name);
    if (found == nullptr) refuse(where, fmt::format("nothing is called '{}'", name));
    return require(*found, text::YamlKind::sequence, "a list");
  }

  [[nodiscard]] std::string expanded(const text::YamlNode& node, const Scope& scope,
                                     std::optional<double> value = std::nullopt) const {
    return at(node, [&] { return expand(text(node), scope, value); });
  }
  [[nodiscard]] double number(const text::YamlNode& node, const Scope& scope) const {
    return at(node, [&] { return evaluate_number(text(node), scope); });
  }
  [[nodiscard]] Wanted wanted(const text::YamlNode& node, const Scope& scope) const {
    require_keys(node, {"algorithm", "wiring", "schedule", "workload", "batch", "elements"});
    Wanted row;
    for (const auto& [key, where, value] : node.entries) {
      if (key == "algorithm") row.algorithm = expanded(value, scope);
      if (key == "wiring") row.wiring = expanded(value, scope);
      if (key == "schedule") row.schedule = expanded(value, scope);
      if (key == "workload") row.workload = expanded(value, scope);
      if (key == "batch") row.batch = static_cast<std::uint64_t>(number(value, scope));
      if (key == "elements") row.elements = static_cast<std::uint64_t>(number(value, scope));
    }
    return row;
  }

 private:
  const text::YamlDocument& document_;
};

}  // namespace gradwire::claims
