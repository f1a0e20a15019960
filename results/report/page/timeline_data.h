#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// A run's timelines as the page is given them: `Timeline` of results/web/src/data.ts.
struct StoredTimelines {
  std::map<std::string, nlohmann::json> by_key;  ///< of each point the last
  std::vector<record::StoreProblem> problems;
};

/// Reads them from the run's folder. Never throws for what is in there.
[[nodiscard]] StoredTimelines read_timelines(const record::StoredRun& run);

}  // namespace gradwire::report
