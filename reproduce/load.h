#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reproduce/runs.h"

/// From run folders to Runs.
namespace gradwire::reproduce {

/// What was found in a folder of published runs.
struct Loaded {
  Runs runs;
  std::vector<std::string> problems;  ///< folders and lines that could not be read
};

/// Reads every run folder in `folder`, each named after its experiment (a name that begins with '.'
/// is skipped, and so are files). A folder that does not exist holds nothing, which is a problem.
[[nodiscard]] Loaded load_runs(const std::filesystem::path& folder);

}  // namespace gradwire::reproduce
