#include "core/text/yaml_text.h"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "core/error.h"
#include "core/text/lowercase.h"

namespace gradwire::text {
namespace {

/// The words that YAML 1.1 does not read as text.
constexpr std::array<std::string_view, 9> kNoText{"y",   "n",    "yes",   "no",  "on",
                                                  "off", "true", "false", "null"};

bool is_plain(const std::string& text) {
  static const std::regex kWord("[A-Za-z][A-Za-z0-9._-]*");
  static const std::regex kAddress(R"(\d+\.\d+\.\d+\.\d+(/\d+)?)");
  if (std::regex_match(text, kAddress)) return true;
  return std::regex_match(text, kWord) &&
         std::ranges::find(kNoText, lowercase(text)) == kNoText.end();
}

}  // namespace

YAML::Emitter& operator<<(YAML::Emitter& out, const YamlWord& word) {
  const std::string text(word.text);
  if (!is_plain(text)) out << YAML::DoubleQuoted;
  return out << text;
}

YAML::Emitter& operator<<(YAML::Emitter& out, const YamlWords& words) {
  out << YAML::Flow << YAML::BeginSeq;
  for (const std::string& text : words.texts) out << YamlWord{text};
  return out << YAML::EndSeq;
}

std::string yaml_file(std::string_view comment, const YAML::Emitter& out) {
  ensure(out.good(), "what is emitted is YAML");
  std::string text;
  std::istringstream lines{std::string(comment)};
  for (std::string line; std::getline(lines, line);) {
    text += line.empty() ? "#\n" : "# " + line + "\n";
  }
  return text + "\n" + out.c_str() + "\n";
}

}  // namespace gradwire::text
