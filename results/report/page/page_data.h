#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"
#include "results/report/page/drawing.h"
#include "results/report/page/timeline_data.h"

/// Data of the report's page.
namespace gradwire::report {

/// Most samples in all; more are thinned out evenly.
inline constexpr std::size_t kMostPageSamples = 1'200'000;
/// Most transfers and buckets of all timelines; later rows have none.
inline constexpr std::size_t kMostPageSpans = 40'000;
/// Most sends and loaded cables of all steps of all Plans; later Plans are not played.
inline constexpr std::size_t kMostPageSteps = 60'000;

/// Functions that make parts of a page that results/ cannot make.
struct PageMakers {
  PlanMaker plans;
  TimelineMaker timelines;  ///< empty: only timelines that a folder keeps are shown
};

/// Makes the data of a page, a `ReportData` (results/web/src/data.ts). Reads the runs' timelines
/// from their folders; problems of these are added to the runs' problems in the result. A simulated
/// point whose folder keeps no timeline gets one from `makers`, while there is room for it
/// (kMostPageSpans); where these make none, the run's notes say why.
[[nodiscard]] nlohmann::json page_data(std::span<const record::StoredRun> runs,
                                       const PageMakers& makers,
                                       std::chrono::system_clock::time_point now);

}  // namespace gradwire::report
