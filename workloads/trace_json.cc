#include <algorithm>

#include <fmt/core.h>

#include "core/text/yaml_document.h"
#include "workloads/trace_table.h"

namespace gradwire::workloads {
namespace {

using text::YamlEntry;
using text::YamlKind;
using text::YamlNode;

constexpr const char* kForm =
    R"(a trace is {"source": "...", "tensors": [{"tensor": "...", "elements": 1, ...}, ...]})";
/// The error for text that is no whole object. To yaml-cpp, text after an unclosed bracket is
/// nothing.
constexpr const char* kNothing =
    R"(there is no whole object {"tensors": [...]}: the file is empty or a bracket stays open)";

/// Limits for the JSON form. It is read as YAML, of which JSON is part, because parsers of JSON do
/// not tell a value's place. Programs write all of it on one line; the shortest tensors make a
/// value of every five bytes.
constexpr text::YamlLimits kLimits{
    .bytes = kMaxTraceBytes, .line_bytes = kMaxTraceBytes, .nodes = kMaxTraceBytes / 5};

class JsonReader {
 public:
  explicit JsonReader(const text::YamlDocument& document) : root_(document.root) {
    table_.file = document.file;
    table_.begin = root_.position;
  }

  [[nodiscard]] TraceTable read() {
    if (root_.kind == YamlKind::null) table_.refuse(root_.position, kNothing);
    if (root_.kind != YamlKind::map) table_.refuse(root_.position, kForm);
    // First: what a newer form has that this one has not is no mistake.
    if (const YamlEntry* const version = root_.find(kTraceVersionKey)) {
      table_.require_version(scalar(*version));
    }
    for (const YamlEntry& entry : root_.entries) read_entry(entry);
    if (root_.find("tensors") == nullptr) {
      table_.refuse(root_.position, fmt::format("'tensors' is missing; {}", kForm));
    }
    return std::move(table_);
  }

 private:
  void read_entry(const YamlEntry& entry) {
    if (entry.key == kTraceVersionKey) return;
    if (entry.key == "source") {
      table_.source = scalar(entry).text;
      return;
    }
    if (entry.key != "tensors") {
      table_.refuse(entry.position, fmt::format("unknown key '{}'; {}", entry.key, kForm));
    }
    if (entry.value.kind != YamlKind::sequence) table_.refuse(entry.value.position, kForm);
    table_.begin = entry.value.position;
    for (const YamlNode& tensor : entry.value.items) read_tensor(tensor);
  }

  void read_tensor(const YamlNode& tensor) {
    if (tensor.kind != YamlKind::map) table_.refuse(tensor.position, kForm);
    TraceRow row{.place = tensor.position, .cells = {}};
    for (const YamlEntry& entry : tensor.entries) read_cell(entry, row);
    if (const auto missing = missing_column(row)) {
      table_.refuse(row.place, fmt::format("'{}' is missing; a tensor needs tensor, elements and "
                                           "backward_us",
                                           *missing));
    }
    table_.rows.push_back(std::move(row));
  }

  void read_cell(const YamlEntry& entry, TraceRow& row) const {
    const TraceColumn column = trace_column(table_, {.text = entry.key, .place = entry.position});
    const bool is_text = column == TraceColumn::tensor || column == TraceColumn::layer;
    if (entry.value.quoted && !is_text) {
      table_.refuse(entry.value.position,
                    fmt::format("'{}' is a number: write it without quotes", entry.key));
    }
    row.cells[static_cast<std::size_t>(column)] = scalar(entry);
  }

  [[nodiscard]] TraceCell scalar(const YamlEntry& entry) const {
    if (entry.value.kind == YamlKind::null) {
      table_.refuse(entry.value.position, fmt::format("'{}' has no value", entry.key));
    }
    if (entry.value.kind != YamlKind::scalar) table_.refuse(entry.value.position, kForm);
    if (entry.value.text.find_first_of("\t\n") != std::string::npos) {
      table_.refuse(entry.value.position, "escaped control characters are not allowed");
    }
    return {.text = std::string(text::trimmed(entry.value.text)), .place = entry.value.position};
  }

  const YamlNode& root_;
  TraceTable table_;
};

}  // namespace

TraceTable read_trace_json(std::string_view text, const std::string& file) {
  const text::YamlDocument document = text::parse_yaml(text, file, kLimits);
  return JsonReader(document).read();
}

}  // namespace gradwire::workloads
