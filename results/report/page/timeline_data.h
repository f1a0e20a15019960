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

/// A timeline as the page is given it: `Timeline` of results/web/src/data.ts. `type` is that of its
/// point's elements.
[[nodiscard]] nlohmann::json timeline_data(const record::Timeline& timeline, Dtype type);

/// The timelines that a run folder keeps, as the page is given them.
struct StoredTimelines {
  std::map<std::string, nlohmann::json> by_key;  ///< the last one of each point
  std::vector<record::StoreProblem> problems;
};

/// Reads them from the run's folder. Never throws for what is in there.
[[nodiscard]] StoredTimelines read_timelines(const record::StoredRun& run);

/// A timeline that was made anew, or else why not.
struct RemadeTimeline {
  std::optional<record::Timeline> timeline;
  std::string why_not;  ///< "simulated again they take another time"; the points are "they"
};

/// Makes the timeline of a simulated point that its run folder does not keep. results/ cannot
/// simulate; whoever asks for the page can (harness/run/simulated/timeline_remaker.h).
using TimelineMaker =
    std::function<RemadeTimeline(const record::StoredRun&, const record::StoredPoint&)>;

}  // namespace gradwire::report
