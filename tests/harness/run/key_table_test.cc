// Which keys of an experiment a point's key goes by, and what holds without them: all of them, one by
// one.
#include "tests/harness/run/key_table.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/text/schemas.h"
#include "harness/run/prepare.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

/// The keys of a schema that have no keys of their own: "link.rate". Lists of maps are looked into;
/// what may be swept has its own key already.
void add_paths(const json& schema, const std::string& path, std::set<std::string>& paths) {
  const json& inside = schema.contains("items") ? schema.at("items") : schema;
  if (!inside.contains("properties")) {
    paths.insert(path);
    return;
  }
  for (const auto& [key, inner] : inside.at("properties").items()) {
    add_paths(inner, path.empty() ? key : path + "." + key, paths);
  }
}

std::string first_word(std::string_view line) {
  return std::string(line.substr(0, line.find(':')));
}

std::string key_of(const std::vector<std::string_view>& lines, record::Backing backing) {
  std::map<std::string, std::string_view> all;
  for (const std::string_view line : kPlain) all[first_word(line)] = line;
  for (const std::string_view line : lines) {
    if (line.starts_with('-')) {
      all.erase(std::string(line.substr(1)));
    } else {
      all[first_word(line)] = line;
    }
  }
  std::string text;
  for (const auto& [key, line] : all) text += std::string(line) + "\n";
  return prepare(experiment::load_experiment_text(text, "x.yaml"), backing).at(0).key;
}

// A key that is added to experiments must be added here, and its author decides then.
TEST(KeyTable, HasEveryKeyOfTheSchema) {
  std::set<std::string> schema;
  add_paths(json::parse(text::schema("experiment")), "", schema);
  std::set<std::string> table;
  for (const Key& key : all_keys()) {
    EXPECT_TRUE(table.insert(key.path).second) << key.path << " stands twice";
    EXPECT_EQ(std::string_view(key.why).empty(), key.in == In::all) << key.path << " says why not";
  }
  EXPECT_EQ(table, schema);
}

/// The defaults that a schema states, by path.
std::map<std::string, json> stated(const json& schema, const std::string& path) {
  std::map<std::string, json> found;
  if (schema.contains("default")) found[path] = schema.at("default");
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, inner] : properties.items()) {
    found.merge(stated(inner, path.empty() ? key : path + "." + key));
  }
  return found;
}

// Every default that the schema states is the one that the program takes.
TEST(KeyTable, DefaultsAreWhatTheSchemaStates) {
  std::map<std::string, json> taken;
  for (const Key& key : all_keys()) {
    if (key.taken != nullptr) taken[key.path] = key.taken();
  }
  EXPECT_EQ(json(taken), json(stated(json::parse(text::schema("experiment")), "")));
}

TEST(KeyTable, APointsKeyChangesWithWhatCountsAndNothingElse) {
  for (const Key& key : all_keys()) {
    const bool emulated = key.in == In::all || key.in == In::emulated;
    const bool simulated = key.in == In::all || key.in == In::simulated;
    for (const auto& [backing, counts] : {std::pair(record::Backing::emulated, emulated),
                                          std::pair(record::Backing::simulated, simulated)}) {
      EXPECT_EQ(key_of(key.one, backing) != key_of(key.other, backing), counts)
          << key.path << " " << to_string(backing);
    }
  }
}

}  // namespace
}  // namespace gradwire::run
