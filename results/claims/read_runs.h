#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/claims/runs.h"

/// Reads the runs on which claims are judged from their folders.
namespace gradwire::claims {

/// The runs of a folder, and what could not be read there.
struct FoundRuns {
  Runs runs;
  std::vector<std::string> problems;  ///< folders and lines that could not be read
};

/// Reads every run folder in `folder`, each named after its experiment (a name that begins with '.'
/// is skipped, and so are files). A folder that does not exist holds nothing, which is a problem.
[[nodiscard]] FoundRuns read_runs(const std::filesystem::path& folder);

}  // namespace gradwire::claims
