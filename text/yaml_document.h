#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "text/text_check.h"

/// The part of YAML that experiment files may use, as a tree that remembers where everything stood.
///
/// Refused: anchors, aliases, tags, complex and duplicate keys, a second document, control
/// characters (NUL among them), text that is not UTF-8, and files beyond the limits below. A file
/// can therefore neither grow when it is read nor mean two things.
namespace gradwire::text {

inline constexpr std::size_t kMaxYamlBytes = 1 << 20;
inline constexpr std::size_t kMaxYamlLineBytes = 1 << 16;
inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlNodes = 100'000;

enum class YamlKind { null, scalar, sequence, map };

struct YamlEntry;

/// A value. Keys keep their order.
struct YamlNode {
  YamlKind kind = YamlKind::null;
  TextPosition position;
  std::string text;                ///< of a scalar, without quotes
  bool quoted = false;             ///< a quoted scalar is text, whatever it looks like
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a map

  /// The entry of a map with this key, or nullptr. Valid as long as the node.
  [[nodiscard]] const YamlEntry* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  TextPosition position;  ///< of the key
  YamlNode value;
};

struct YamlDocument {
  std::string file;  ///< as messages name it
  std::string text;  ///< all of it, unchanged
  YamlNode root;

  [[nodiscard]] SourcePlace place(TextPosition position) const {
    return {file, position.line, position.column};
  }
};

/// Reads a document. `file` is only what messages call it. Throws InputError with its place.
[[nodiscard]] YamlDocument parse_yaml(std::string_view text, std::string file);

/// Reads a regular file of at most kMaxYamlBytes. Throws InputError, also when the file cannot be
/// read.
[[nodiscard]] YamlDocument load_yaml(const std::filesystem::path& path);

}  // namespace gradwire::text
