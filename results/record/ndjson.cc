#include "results/record/ndjson.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/format_version.h"
#include "core/text/whole_number.h"
#include "results/record/line_file.h"
#include "results/record/store_error.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kDeepest = 64;

void check_version(const json& document, int newest) {
  const int version = text::whole_number<int>(document.at("version"));
  if (version <= newest) return;
  throw StoreError(text::newer_version(std::to_string(version), newest));
}

/// Limits the depth of a document. Ours are a few levels deep; endless nesting would exhaust the
/// stack.
bool is_shallow(int depth, json::parse_event_t, json&) {
  if (depth > kDeepest) throw StoreError("is not of a run: it is nested too deeply");
  return true;
}

json parse_versioned(std::string_view text, int newest) try {
  json document = json::parse(text, is_shallow);
  check_version(document, newest);
  return document;
} catch (const json::exception& error) {
  throw StoreError(fmt::format("is not of a run: {}", error.what()));
}

}  // namespace

std::string StoreProblem::message() const {
  if (place.file.empty()) return what;
  if (place.line == 0) return fmt::format("{}: {}", place.file, what);
  return fmt::format("{}:{}: {}", place.file, place.line, what);
}

void read_ndjson(const fs::path& path, const Reading& reading, std::vector<StoreProblem>& problems,
                 const std::function<void(std::string_view)>& take) {
  std::size_t count = 0;
  const auto add = [&](std::size_t line, const char* what) {
    if (++count <= kMostProblems) problems.push_back({{.file = path.string(), .line = line}, what});
  };
  try {
    LineReader lines(path, reading.limit);
    while (const std::optional<Line> line = lines.next()) {
      try {
        if (line->whole)
          take(line->text);
        else if (!reading.running && !is_locked(path))
          add(line->number, "ends in the middle of the line");
      } catch (const StoreError& error) {
        add(line->number, error.what());
      }
    }
  } catch (const SystemError& error) {
    add(0, error.what());
  } catch (const InputError&) {
    add(0, "is not a regular file");
  }
  if (count > kMostProblems) {
    problems.push_back(
        {{.file = path.string()}, fmt::format("and {} lines more", count - kMostProblems)});
  }
}

json sealed_document(std::string_view line, int newest) {
  if (const auto broken = broken_seal(line)) throw StoreError(std::string(*broken));
  return parse_versioned(line, newest);
}

void require_valid(const json& document, const text::SchemaChecker& schema, std::string_view kind) {
  if (const auto why = schema.why_invalid(document)) {
    throw StoreError(fmt::format("is not a {}: {}", kind, *why));
  }
}

json checked_document(std::string_view text, std::string_view schema) {
  json document = parse_versioned(text, kStoreVersion);
  require_valid(document, text::shared_checker(text::schema(schema)), schema);
  return document;
}

}  // namespace gradwire::record
