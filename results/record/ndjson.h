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

/// Reading what a run folder holds, line by line or whole, whatever state it is in.
namespace gradwire::record {

/// Problems of one file that are named; of more, only their number.
inline constexpr std::size_t kMostProblems = 20;

/// How a file is read.
struct Reading {
  bool running = false;                                         ///< somebody may write it meanwhile
  std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< bytes, from its beginning
};

/// Gives every whole line to `take`, LineReader::kPadding readable bytes behind it; a StoreError
/// that it throws is a problem of that line. A last line without an end is one, too, unless the
/// run is being written now. No file, no lines; one that cannot be read is a problem.
void read_ndjson(const std::filesystem::path& path, const Reading& reading,
                 std::vector<StoreProblem>& problems,
                 const std::function<void(std::string_view)>& take);

/// A sealed line as JSON. Throws StoreError for a broken seal, a version above `newest` and what is
/// no JSON of ours.
[[nodiscard]] nlohmann::json sealed_document(std::string_view line, int newest = kStoreVersion);

/// A whole file as JSON that follows the schema of that name. Throws StoreError.
[[nodiscard]] nlohmann::json checked_document(std::string_view text, std::string_view schema);

/// Throws StoreError that says why a document does not follow a schema; `kind` names it.
void require_valid(const nlohmann::json& document, const text::SchemaChecker& schema,
                   std::string_view kind);

}  // namespace gradwire::record
