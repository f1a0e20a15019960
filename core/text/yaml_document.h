#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text/text_check.h"

/// The part of YAML that users' files may use, as a tree that remembers every place. JSON is part
/// of it.
///
/// Refused: unclosed quotes, CR alone, anchors, aliases, tags, complex and duplicate keys, a second
/// document, control characters (NUL among them), text that is not UTF-8, and files beyond
/// YamlLimits. A file can therefore neither grow when it is read nor mean two things.
namespace gradwire::text {

/// The limits of a document's size. The defaults are for files that people write by hand.
struct YamlLimits {
  std::size_t bytes = 1 << 20;
  std::size_t line_bytes = 1 << 16;
  std::size_t depth = 32;       ///< nesting of lists and maps
  std::size_t nodes = 100'000;  ///< keys and values, lists and maps among them
};

enum class YamlKind { null, scalar, sequence, map };

struct YamlEntry;

/// A value of the document. Keys keep their order.
struct YamlNode {
  YamlKind kind = YamlKind::null;
  TextPosition position;
  std::string text;                ///< content of a scalar, without quotes
  bool quoted = false;             ///< a quoted scalar is always text
  std::vector<YamlNode> items;     ///< items of a sequence
  std::vector<YamlEntry> entries;  ///< entries of a map

  /// The entry of a map with this key, or nullptr. Valid as long as the node.
  [[nodiscard]] const YamlEntry* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  TextPosition position;  ///< place of the key
  YamlNode value;
};

struct YamlDocument {
  std::string file;  ///< name in messages
  std::string text;  ///< whole text, unchanged
  YamlNode root;

  [[nodiscard]] SourcePlace place(TextPosition position) const {
    return {file, position.line, position.column};
  }
};

/// Reads a document. Messages call it `file`. Throws InputError with the place of anything that is
/// refused.
[[nodiscard]] YamlDocument parse_yaml(std::string_view text, std::string file,
                                      const YamlLimits& limits = {});

/// Reads a regular file like parse_yaml(), and refuses a pipe or a device without waiting for it.
/// Throws InputError, also if the file cannot be read.
[[nodiscard]] YamlDocument load_yaml(const std::filesystem::path& path,
                                     const YamlLimits& limits = {});

}  // namespace gradwire::text
