#pragma once

#include <cstdint>
#include <memory>

#include "harness/run/link_findings.h"
#include "results/record/stored_run.h"
#include "results/report/page/timeline_data.h"

namespace gradwire::run {

/// A point is simulated again if that takes no more messages.
inline constexpr std::uint64_t kMostRemadeMessages = 300'000;
/// Most messages of all points together that one remaker simulates again.
inline constexpr std::uint64_t kMostRemadeInAll = 2'000'000;

/// Makes timelines of simulated points that their run folder does not keep, by simulating the point
/// again. A report hands one to report::page_data.
class TimelineRemaker {
 public:
  TimelineRemaker();
  TimelineRemaker(const TimelineRemaker&) = delete;
  TimelineRemaker& operator=(const TimelineRemaker&) = delete;
  ~TimelineRemaker();

  /// Simulates a simulated point of a stored run again, from the run's own experiment, overrides
  /// and calibration. Gives no timeline, but the reason, when the point's times come out as others
  /// than the stored ones, when it takes too many messages (kMostRemadeMessages), and when the
  /// experiment cannot be made ready any more. Blocks for seconds; never throws for what the run
  /// holds. Points of one run in a row are asked for fastest.
  [[nodiscard]] report::RemadeTimeline remake(const record::StoredRun& run,
                                              const record::StoredPoint& point);

 private:
  struct ReadyRun;

  /// The run's experiment, made ready: of the last run asked for, once.
  [[nodiscard]] const ReadyRun& ready(const record::StoredRun& run);
  [[nodiscard]] report::RemadeTimeline simulate(const ReadyRun& ready,
                                                const record::StoredPoint& point,
                                                const LinkFinding& links);

  std::unique_ptr<const ReadyRun> ready_;
  std::uint64_t messages_left_ = kMostRemadeInAll;
};

}  // namespace gradwire::run
