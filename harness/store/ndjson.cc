#include "harness/store/ndjson.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/schemas.h"
#include "harness/store/line_file.h"
#include "harness/store/sealed_line.h"
#include "harness/store/store_error.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void check_version(const json& document) {
  const int version = document.at("version").get<int>();
  if (version <= kStoreVersion) return;
  throw StoreError(
      fmt::format("is of version {}; this gradwire reads version {}", version, kStoreVersion));
}

json parse_versioned(std::string_view text) try {
  json document = json::parse(text);
  check_version(document);
  return document;
} catch (const json::exception& error) {
  throw StoreError(fmt::format("is not of a run: {}", error.what()));
}

[[noreturn]] void refuse(std::string_view schema, const std::string& why) {
  throw StoreError(fmt::format("is not a {}: {}", schema, why));
}

}  // namespace

std::string StoreProblem::message() const {
  if (place.file.empty()) return what;
  if (place.line == 0) return fmt::format("{}: {}", place.file, what);
  return fmt::format("{}:{}: {}", place.file, place.line, what);
}

void read_ndjson(const fs::path& path, bool running, std::vector<StoreProblem>& problems,
                 const std::function<void(std::string_view)>& take) {
  std::size_t count = 0;
  const auto add = [&](std::size_t line, const char* what) {
    if (++count <= kMostProblems) problems.push_back({{.file = path.string(), .line = line}, what});
  };
  try {
    LineReader reader(path);
    while (const std::optional<Line> line = reader.next()) {
      try {
        if (line->whole)
          take(line->text);
        else if (!running && !is_locked(path))
          add(line->number, "ends in the middle of the line");
      } catch (const StoreError& error) {
        add(line->number, error.what());
      }
    }
  } catch (const SystemError& error) {
    add(0, error.what());
  }
  if (count > kMostProblems) {
    problems.push_back(
        {{.file = path.string()}, fmt::format("and {} lines more", count - kMostProblems)});
  }
}

void read_document(std::string_view line, std::string_view schema,
                   const std::function<void(const json&)>& read) {
  if (const auto broken = broken_seal(line)) throw StoreError(std::string(*broken));
  const json document = parse_versioned(line);
  try {
    read(document);
  } catch (const json::exception& error) {
    refuse(schema, why_invalid(document, schema).value_or(error.what()));
  } catch (const InternalError& error) {
    refuse(schema, why_invalid(document, schema).value_or(error.what()));
  }
}

json checked_document(std::string_view text, std::string_view schema) {
  json document = parse_versioned(text);
  if (const auto why = why_invalid(document, schema)) refuse(schema, *why);
  return document;
}

}  // namespace gradwire::harness
