#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/store/store_problem.h"

/// Reading what a run folder holds, line by line or whole, whatever state it is in.
namespace gradwire::harness {

/// Problems of one file that are named; of more, only their number.
inline constexpr std::size_t kMostProblems = 20;

/// Gives every whole line to `take`, LineReader::kPadding readable bytes behind it; a StoreError
/// that it throws is a problem of that line. A last line without an end is one, too, unless the
/// run is being written now. No file, no lines; one that cannot be read is a problem.
void read_ndjson(const std::filesystem::path& path, bool running,
                 std::vector<StoreProblem>& problems,
                 const std::function<void(std::string_view)>& take);

/// Gives a sealed line to `read` as JSON. Throws StoreError for a broken seal, a newer version and
/// what is no JSON; where `read` throws nlohmann::json::exception or InternalError, the schema of
/// that name is asked what is wrong.
void read_document(std::string_view line, std::string_view schema,
                   const std::function<void(const nlohmann::json&)>& read);

/// A whole file as JSON that follows the schema of that name. Throws StoreError.
[[nodiscard]] nlohmann::json checked_document(std::string_view text, std::string_view schema);

}  // namespace gradwire::harness
