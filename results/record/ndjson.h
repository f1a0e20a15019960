#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/text/schemas.h"
#include "results/record/sealed_line.h"
#include "results/record/store_problem.h"

/// Reading of the files in a run folder, line by line or whole, whatever state it is in.
namespace gradwire::record {

/// Most problems of one file that are named; the rest are only counted.
inline constexpr std::size_t kMostProblems = 20;

/// Options of reading a file.
struct Reading {
  bool running = false;  ///< whether somebody may write it meanwhile
  std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< bytes from the file's beginning
};

/// Calls `take` with every whole line, followed by LineReader::kPadding readable bytes. A
/// StoreError that it throws becomes a problem of that line. A last line without an end is a
/// problem, too, unless the run is being written now. A missing file has no lines; one that cannot
/// be read is a problem.
void read_ndjson(const std::filesystem::path& path, const Reading& reading,
                 std::vector<StoreProblem>& problems,
                 const std::function<void(std::string_view)>& take);

/// Parses a sealed line as JSON. Throws StoreError for a broken seal, a version above `newest`, and
/// anything but JSON of ours.
[[nodiscard]] nlohmann::json sealed_document(std::string_view line, int newest = kStoreVersion);

/// Parses a whole file as JSON and checks it against the schema of that name. Throws StoreError.
[[nodiscard]] nlohmann::json checked_document(std::string_view text, std::string_view schema);

/// Checks a document against a schema. Throws StoreError that says why it does not fit; `kind`
/// names the document.
void require_valid(const nlohmann::json& document, const text::SchemaChecker& schema,
                   std::string_view kind);

}  // namespace gradwire::record
