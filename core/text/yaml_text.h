#pragma once

#include <span>
#include <string>
#include <string_view>

#include <yaml-cpp/yaml.h>

namespace gradwire::text {

/// A scalar that every reader of YAML takes for the same text: it is quoted unless it is a plain
/// word. Ansible's reader takes 52:54:00:12:34:56 for a number in base 60, and `no` for a truth
/// value.
struct YamlWord {
  std::string_view text;
};

YAML::Emitter& operator<<(YAML::Emitter& out, const YamlWord& word);

/// A list of YamlWords, on one line.
struct YamlWords {
  std::span<const std::string> texts;
};

YAML::Emitter& operator<<(YAML::Emitter& out, const YamlWords& words);

/// The text of a YAML file: `comment`, each of its lines behind "# ", an empty line, and the
/// emitted document.
[[nodiscard]] std::string yaml_file(std::string_view comment, const YAML::Emitter& out);

}  // namespace gradwire::text
