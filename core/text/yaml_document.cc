#include "core/text/yaml_document.h"

#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "core/text/file.h"
#include "core/text/yaml_faults.h"

namespace gradwire::text {
namespace {

TextPosition position_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

/// Builds the tree from yaml-cpp's events, and stops the parser at the first thing that is refused.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const YamlDocument& document, const YamlLimits& limits)
      : document_(document), limits_(limits), lines_(document.text) {}

  [[nodiscard]] YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(position_of(mark), "a file holds one document, and a second one begins here");
    }
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(position_of(mark), fmt::format("anchors (&{}) are not allowed", name));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(position_of(mark), "aliases (*name) are not allowed");
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) refuse(position_of(mark), "a key is missing before ':'");
    // yaml-cpp marks a value left out where the next token stands, which may be lines below.
    const bool is_value = !open_.empty() && open_.back()->kind == YamlKind::map;
    add({.kind = YamlKind::null,
         .position = is_value ? open_.back()->entries.back().position : position_of(mark)});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    refuse_tag(mark, tag);
    const TextPosition position = position_of(mark);
    const bool quoted = is_quoted(tag);
    refuse_fault(quoted ? unclosed_quote(lines_, position, block_column())
                        : hidden_blank(value, position));
    if (has_control_character(value)) {
      refuse(position, "an escaped control character is not allowed");
    }
    if (expects_key()) return add_key(position, value);
    add({.kind = YamlKind::scalar, .position = position, .text = value, .quoted = quoted});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, YamlKind::sequence);
  }
  void OnSequenceEnd() override { open_.pop_back(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, YamlKind::map);
    keys_.emplace_back();
    blocks_.push_back(style == YAML::EmitterStyle::Block);
  }
  void OnMapEnd() override {
    open_.pop_back();
    keys_.pop_back();
    blocks_.pop_back();
  }

 private:
  [[noreturn]] void refuse(TextPosition position, const std::string& why) const {
    throw InputError(document_.place(position), why);
  }

  void refuse_fault(const std::optional<TextFault>& fault) const {
    if (fault) refuse(fault->position, fault->message);
  }

  /// Whether yaml-cpp says of a scalar by its tag that it is quoted, or a block of lines.
  static bool is_quoted(const std::string& tag) { return tag == "!"; }

  /// The column of the key whose value comes next, if it stands in a block; otherwise 0.
  [[nodiscard]] std::size_t block_column() const {
    const bool is_value = key_open_ && open_.back()->kind == YamlKind::map && blocks_.back();
    return is_value ? open_.back()->entries.back().position.column : 0;
  }

  /// Refuses any tag of the user's. yaml-cpp says "?" for a plain scalar or collection and "!" for
  /// a quoted scalar.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(position_of(mark), fmt::format("tags ({}) are not allowed", tag));
  }

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back()->kind == YamlKind::map && !key_open_;
  }

  void count_node(TextPosition position) {
    if (++nodes_ > limits_.nodes) {
      refuse(position, fmt::format("more than {} values", limits_.nodes));
    }
  }

  void add_key(TextPosition position, const std::string& key) {
    count_node(position);
    if (!keys_.back().insert(key).second) refuse(position, fmt::format("'{}' is given twice", key));
    open_.back()->entries.push_back({.key = key, .position = position, .value = {}});
    key_open_ = true;
  }

  /// Adds a value at the parser's position. The pointer is valid until a sibling is added, and a
  /// sibling is added only after the value is closed.
  YamlNode* add(YamlNode node) {
    count_node(node.position);
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    YamlNode& parent = *open_.back();
    if (parent.kind == YamlKind::sequence) return &parent.items.emplace_back(std::move(node));
    key_open_ = false;
    parent.entries.back().value = std::move(node);
    return &parent.entries.back().value;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YamlKind kind) {
    const TextPosition position = position_of(mark);
    refuse_tag(mark, tag);
    // To yaml-cpp, what stands before the end of a file whose bracket stays open is a key.
    if (expects_key()) {
      refuse(position, "a key must be a word, not a list or a map; or a bracket stays open");
    }
    if (open_.size() == limits_.depth) {
      refuse(position, fmt::format("nested more than {} deep", limits_.depth));
    }
    open_.push_back(add({.kind = kind, .position = position}));
  }

  const YamlDocument& document_;
  const YamlLimits& limits_;
  const TextLines lines_;
  YamlNode root_;
  std::vector<YamlNode*> open_;              ///< path from the root to the parser's position
  std::vector<std::set<std::string>> keys_;  ///< keys of every open map
  std::vector<bool> blocks_;                 ///< whether each open map is indented, not in braces
  bool key_open_ = false;                    ///< the innermost map has a key without its value
  std::size_t nodes_ = 0;
  std::size_t documents_ = 0;
};

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

YamlDocument parse_yaml(std::string_view text, std::string file, const YamlLimits& limits) {
  YamlDocument document{.file = std::move(file), .text = std::string(text), .root = {}};
  if (text.size() > limits.bytes) {
    throw InputError(document.place({}), fmt::format("larger than {} bytes", limits.bytes));
  }
  if (const auto fault = check_text(text, limits.line_bytes)) {
    throw InputError(document.place(fault->position), fault->message);
  }
  if (const auto fault = lone_carriage_return(text)) {
    throw InputError(document.place(fault->position), fault->message);
  }
  std::istringstream stream(document.text);
  TreeBuilder builder(document, limits);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      throw InputError(document.place({}), "the file is empty");
    }
    document.root = builder.take_root();
    parser.HandleNextDocument(builder);  // refuses a second document
  } catch (const YAML::Exception& error) {
    if (const auto fault = misleading_character(text, position_of(error.mark))) {
      throw InputError(document.place(fault->position), fault->message);
    }
    throw InputError(document.place(position_of(error.mark)), error.msg);
  }
  return document;
}

YamlDocument load_yaml(const std::filesystem::path& path, const YamlLimits& limits) {
  return parse_yaml(read_input_file(path, limits.bytes), path.string(), limits);
}

}  // namespace gradwire::text
