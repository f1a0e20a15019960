#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/dtype.h"
#include "results/record/stored_run.h"
#include "results/record/timeline.h"

namespace gradwire::report {

/// A timeline for the page: `Timeline` of results/web/src/data.ts. `type` is the type of its
/// point's elements.
[[nodiscard]] nlohmann::json timeline_data(const record::Timeline& timeline, Dtype type);

/// Timelines that a run folder keeps, converted for the page.
struct StoredTimelines {
  std::map<std::string, nlohmann::json> by_key;  ///< last one of each point
  std::vector<record::StoreProblem> problems;
};

/// Reads the timelines from the run's folder. Never throws because of the content.
[[nodiscard]] StoredTimelines read_timelines(const record::StoredRun& run);

/// Timeline that was made anew, or the reason why not.
struct RemadeTimeline {
  std::optional<record::Timeline> timeline;
  std::string why_not;  ///< "simulated again they take another time"; the points are "they"
};

/// Function that makes the timeline of a simulated point that its run folder does not keep.
/// results/ cannot simulate, so the page's caller provides it
/// (harness/run/simulated/timeline_remaker.h).
using TimelineMaker =
    std::function<RemadeTimeline(const record::StoredRun&, const record::StoredPoint&)>;

}  // namespace gradwire::report
