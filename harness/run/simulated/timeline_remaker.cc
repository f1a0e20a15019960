#include "harness/run/simulated/timeline_remaker.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "harness/run/link_findings.h"
#include "harness/run/prepare.h"
#include "harness/run/resumption.h"
#include "harness/run/simulated/point_simulation.h"
#include "results/record/gst.h"
#include "results/record/timeline.h"

namespace gradwire::run {
namespace {

report::RemadeTimeline none(std::string why) {
  return {.timeline = std::nullopt, .why_not = std::move(why)};
}

/// Simulated times are whole nanoseconds.
bool same_time(double stored_seconds, Seconds again) {
  return std::llround(stored_seconds * 1e9) == std::llround(again.count() * 1e9);
}

bool same_times(const record::StoredPoint& stored, const record::Sample& again) {
  if (!same_time(stored.gst.front(), record::gst(again))) return false;
  return !again.training || same_time(stored.iterations.front(),
                                      record::undilated(record::wall(again), again.dilation));
}

}  // namespace

/// Parts of a run that its simulated points are simulated from.
struct TimelineRemaker::ReadyRun {
  std::filesystem::path folder;
  experiment::Experiment experiment;
  std::vector<PreparedPoint> points;
  bool is_ready = false;  ///< false: its experiment does not make sense any more
};

TimelineRemaker::TimelineRemaker() = default;
TimelineRemaker::~TimelineRemaker() = default;

const TimelineRemaker::ReadyRun& TimelineRemaker::ready(const record::StoredRun& run) {
  if (ready_ && ready_->folder == run.folder) return *ready_;
  auto ready = std::make_unique<ReadyRun>();
  ready->folder = run.folder;
  try {
    ready->experiment = resume_experiment(run, {}).experiment;
    ready->points = prepare(ready->experiment, record::Backing::simulated);
    ready->is_ready = true;
  } catch (const std::exception&) {  // a trace or a graph may be gone, the context be damaged
  }
  ready_ = std::move(ready);
  return *ready_;
}

report::RemadeTimeline TimelineRemaker::remake(const record::StoredRun& run,
                                               const record::StoredPoint& point) {
  ensure(point.record.configuration.backing == record::Backing::simulated,
         "only a simulation gives the same again");
  const ReadyRun& from = ready(run);
  if (!from.is_ready) return none("their experiment cannot be made ready any more");
  try {
    const record::Configuration& c = point.record.configuration;
    return simulate(from, point,
                    finding_of(link_findings(record::calibration_of(run, c)), c.wiring));
  } catch (const std::exception&) {  // this machine may have less memory than that of the run
    return none("they cannot be simulated again here");
  }
}

report::RemadeTimeline TimelineRemaker::simulate(const ReadyRun& ready,
                                                 const record::StoredPoint& point,
                                                 const LinkFinding& links) {
  const auto found = std::ranges::find(ready.points, point.record.key, &PreparedPoint::key);
  if (found == ready.points.end()) return none("a trace or a graph is no longer what it was");
  PointSimulation simulation(ready.experiment, *found, {.links = links});
  const std::size_t buckets = point.row.training ? point.row.training->bucket_gst.size() : 1;
  const std::uint64_t messages = simulation.messages_per_bucket() * buckets;
  if (messages > std::min(kMostRemadeMessages, messages_left_)) {
    return none("simulating them again takes too long");
  }
  messages_left_ -= messages;
  SimulatedIteration again = simulation.run();
  if (!same_times(point, again.sample)) return none("simulated again they take another time");
  return {.timeline = record::Timeline{.key = point.record.key,
                                       .ranks = record::first_ranks(std::move(again.ranks))}};
}

}  // namespace gradwire::run
