#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "workloads/trace_table.h"

namespace gradwire::workloads {
namespace {

constexpr const char* kForm =
    R"(a trace is {"source": "...", "tensors": [{"tensor": "...", "elements": 1, ...}, ...]})";
/// To yaml-cpp, what follows a bracket that stays open is nothing, or a key that is an object.
constexpr const char* kNothing =
    R"(there is no whole object {"tensors": [...]}: the file is empty or a bracket stays open)";

TracePlace place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Fills a table from the events of yaml-cpp, which, unlike parsers of JSON, tells where every
/// value stands. Nothing nests deeper than a trace does, because the parser stops at what does not
/// fit.
class JsonReader final : public YAML::EventHandler {
 public:
  explicit JsonReader(const std::string& file) { table_.file = file; }

  [[nodiscard]] TraceTable take_table() {
    if (!keys_.contains("tensors")) {
      table_.refuse(table_.begin, fmt::format("'tensors' is missing; {}", kForm));
    }
    return std::move(table_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) table_.refuse(place_of(mark), "a second document begins here");
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    table_.refuse(place_of(mark), "anchors (&name) are not allowed");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    table_.refuse(place_of(mark), "aliases (*name) are not allowed");
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (level_ == Level::file) table_.refuse(place_of(mark), kNothing);
    table_.refuse(place_of(mark), key_ ? fmt::format("'{}' has no value", key_->text) : kForm);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    refuse_tag(mark, tag);
    const TraceCell cell{.text = value, .place = place_of(mark)};
    if (std::ranges::any_of(value, is_control)) {
      table_.refuse(cell.place, "escaped control characters are not allowed");
    }
    if (expects_key()) return open_key(cell);
    if (level_ == Level::tensor) return add_cell(cell, tag == "!");
    if (level_ != Level::trace) table_.refuse(cell.place, kForm);
    if (key_->text == kTraceVersionKey) {
      table_.require_version(cell);
    } else if (key_->text == "source") {
      table_.source = value;
    } else {
      table_.refuse(cell.place, kForm);
    }
    key_.reset();
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    if (level_ != Level::trace || !key_ || key_->text != "tensors") {
      table_.refuse(place_of(mark), kForm);
    }
    table_.begin = place_of(mark);
    level_ = Level::tensors;
    key_.reset();
  }
  void OnSequenceEnd() override { level_ = Level::trace; }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    if (level_ == Level::file) {
      table_.begin = place_of(mark);
      level_ = Level::trace;
    } else if (level_ == Level::tensors) {
      table_.rows.push_back({.place = place_of(mark), .cells = {}});
      level_ = Level::tensor;
    } else {
      table_.refuse(place_of(mark), expects_key() ? kNothing : kForm);
    }
  }
  void OnMapEnd() override {
    if (level_ == Level::tensor) {
      const TraceRow& row = table_.rows.back();
      if (const auto missing = missing_column(row)) {
        table_.refuse(row.place, fmt::format("'{}' is missing; a tensor needs tensor, elements and "
                                             "backward_us",
                                             *missing));
      }
    }
    level_ = level_ == Level::tensor ? Level::tensors : Level::file;
  }

 private:
  enum class Level : std::uint8_t { file, trace, tensors, tensor };

  /// yaml-cpp says "?" for a plain scalar or collection and "!" for a quoted scalar.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    table_.refuse(place_of(mark), fmt::format("tags ({}) are not allowed", tag));
  }

  [[nodiscard]] bool expects_key() const {
    return (level_ == Level::trace || level_ == Level::tensor) && !key_;
  }

  void open_key(const TraceCell& key) {
    if (level_ == Level::trace) {
      if (key.text != "source" && key.text != "tensors" && key.text != kTraceVersionKey) {
        table_.refuse(key.place, fmt::format("unknown key '{}'; {}", key.text, kForm));
      }
      if (!keys_.insert(key.text).second) refuse_twice(key);
    } else if (table_.rows.back()[trace_column(table_, key)]) {
      refuse_twice(key);
    }
    key_ = key;
  }

  [[noreturn]] void refuse_twice(const TraceCell& key) const {
    table_.refuse(key.place, fmt::format("'{}' is given twice", key.text));
  }

  void add_cell(const TraceCell& cell, bool quoted) {
    const TraceColumn column = trace_column(table_, *key_);
    const bool text = column == TraceColumn::tensor || column == TraceColumn::layer;
    if (quoted && !text) {
      table_.refuse(cell.place,
                    fmt::format("'{}' is a number: write it without quotes", key_->text));
    }
    table_.rows.back().cells[static_cast<std::size_t>(column)] = cell;
    key_.reset();
  }

  TraceTable table_;
  Level level_ = Level::file;
  std::optional<TraceCell> key_;  ///< of the innermost object, when its value is to come
  std::set<std::string> keys_;    ///< of the outermost object
  std::size_t documents_ = 0;
};

}  // namespace

TraceTable read_trace_json(std::string_view text, const std::string& file) {
  std::istringstream stream{std::string(text)};
  JsonReader reader(file);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(reader)) TraceTable{.file = file}.refuse({}, kNothing);
    parser.HandleNextDocument(reader);  // refuses a second document
  } catch (const YAML::Exception& error) {
    TraceTable{.file = file}.refuse(place_of(error.mark), error.msg);
  }
  return reader.take_table();
}

}  // namespace gradwire::workloads
