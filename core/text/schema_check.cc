#include "core/text/schema_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/text/schemas.h"
#include "core/text/suggest.h"
#include "core/to_number.h"

namespace gradwire::text {
namespace {

using nlohmann::json;

/// The value of a plain scalar by YAML 1.2's core schema. Numbers that JSON does not have
/// (infinities, overflows of a double) stay text, and text is refused where a number is due.
json plain_value(const std::string& text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto integer = to_number<std::int64_t>(text)) return *integer;
  const auto number = to_number<double>(text);
  if (number && std::isfinite(*number)) return *number;
  return text;
}

json to_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::null:
      return nullptr;
    case YamlKind::scalar:
      return node.quoted ? json(node.text) : plain_value(node.text);
    case YamlKind::sequence: {
      json array = json::array();
      for (const YamlNode& item : node.items) array.push_back(to_json(item));
      return array;
    }
    case YamlKind::map: {
      json object = json::object();
      for (const YamlEntry& entry : node.entries) object[entry.key] = to_json(entry.value);
      return object;
    }
  }
  throw_bug("a node is of a YamlKind");
}

/// A value of the document with the part of the schema that applies to it.
struct Subject {
  const YamlNode* node;
  const json* schema;
  std::string name;  ///< name in messages; empty for the root
};

const json& resolve(const json& root, const json& schema) {
  const auto reference = schema.find("$ref");
  if (reference == schema.end()) return schema;
  return root.at(json::json_pointer(reference->get<std::string>().substr(1)));
}

/// One step into the document, to a key or an index.
Subject descend(const json& root, const Subject& from, const std::string& part) {
  if (from.node->kind == YamlKind::sequence) {
    const auto index = to_number<std::size_t>(part);
    ensure(index && *index < from.node->items.size(), "the validator names an item that exists");
    return {&from.node->items[*index], &resolve(root, from.schema->at("items")), from.name};
  }
  const YamlEntry* const entry = from.node->find(part);
  ensure(entry != nullptr, "the validator names a key that exists");
  return {&entry->value, &resolve(root, from.schema->at("properties").at(entry->key)), entry->key};
}

std::string quote_value(const YamlNode& node) {
  constexpr std::size_t kLongest = 60;
  switch (node.kind) {
    case YamlKind::null:
      return "nothing";
    case YamlKind::sequence:
      return "a list";
    case YamlKind::map:
      return "a map";
    case YamlKind::scalar:
      break;
  }
  if (node.text.size() > kLongest) return "a long text";
  return fmt::format("'{}'", node.text);
}

/// An entry whose key the schema does not know, or nullptr.
const YamlEntry* unknown_key(const Subject& subject) {
  const json& known = subject.schema->at("properties");
  const auto found = std::ranges::find_if(
      subject.node->entries, [&](const YamlEntry& entry) { return !known.contains(entry.key); });
  return found == subject.node->entries.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_key(const YamlDocument& document, const Subject& subject,
                             const YamlEntry& entry) {
  std::vector<std::string> known;
  for (const auto& item : subject.schema->at("properties").items()) known.push_back(item.key());
  throw InputError(document.place(entry.position), unknown_name("key", entry.key, known));
}

/// Throws the error for a value that is refused itself, not for something inside it.
[[noreturn]] void refuse(const YamlDocument& document, const Subject& subject) {
  const SourcePlace place = document.place(subject.node->position);
  if (subject.node->kind == YamlKind::map && subject.schema->contains("properties")) {
    if (const YamlEntry* const entry = unknown_key(subject)) refuse_key(document, subject, *entry);
    for (const json& key : subject.schema->value("required", json::array())) {
      if (subject.node->find(key.get<std::string>()) != nullptr) continue;
      throw InputError(place,
                       fmt::format("the key '{}' is missing{}", key.get<std::string>(),
                                   subject.name.empty() ? "" : " in '" + subject.name + "'"));
    }
  }
  const std::string expected =
      subject.schema->value("x-expects", std::string("a map of keys and values"));
  throw InputError(
      place, fmt::format("{}expected {}, found {}", subject.name.empty() ? "" : subject.name + ": ",
                         expected, quote_value(*subject.node)));
}

/// The paths of the errors that are not consequences of others: every ancestor of an invalid value
/// is invalid as well. A file can have as many errors as it has values, so none is compared with
/// all others: in lexicographic order a path's descendants come right after it.
std::vector<std::vector<std::string>> root_causes(std::vector<SchemaError> errors) {
  std::vector<std::vector<std::string>> paths;
  for (SchemaError& error : errors) paths.push_back(std::move(error.path));
  std::ranges::sort(paths);
  const auto [first, last] = std::ranges::unique(paths);
  paths.erase(first, last);
  const auto is_ancestor = [](const auto& path, const auto& next) {
    return next.size() > path.size() && std::equal(path.begin(), path.end(), next.begin());
  };
  std::vector<std::vector<std::string>> causes;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i + 1 < paths.size() && is_ancestor(paths[i], paths[i + 1])) continue;
    causes.push_back(paths[i]);
  }
  return causes;
}

/// The schema as JSON, parsed once for each thread.
const json& parsed(std::string_view schema) {
  thread_local std::map<std::string, json, std::less<>> schemas;
  const auto found = schemas.find(schema);
  if (found != schemas.end()) return found->second;
  return schemas.emplace(schema, json::parse(schema)).first->second;
}

}  // namespace

void check_against_schema(const YamlDocument& document, std::string_view schema_text) {
  std::vector<SchemaError> errors = shared_checker(schema_text).errors_in(to_json(document.root));
  if (errors.empty()) return;
  const json& schema = parsed(schema_text);
  std::vector<Subject> subjects;
  for (const std::vector<std::string>& path : root_causes(std::move(errors))) {
    Subject subject{&document.root, &schema, ""};
    for (const std::string& part : path) subject = descend(schema, subject, part);
    subjects.push_back(subject);
  }
  refuse(document, *std::ranges::min_element(subjects, {}, [](const Subject& subject) {
           return subject.node->position;
         }));
}

}  // namespace gradwire::text
