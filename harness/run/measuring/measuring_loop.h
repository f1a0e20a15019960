#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "harness/experiment/experiment.h"
#include "harness/run/job_record.h"
#include "harness/run/measuring/disturbance.h"
#include "harness/run/measuring/expectations.h"
#include "harness/run/measuring/other_programs.h"
#include "harness/run/measuring/standing_wiring.h"
#include "harness/run/measuring/traffic_meter.h"
#include "harness/run/point_record_maker.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "harness/run/resumption.h"
#include "results/record/row.h"
#include "results/record/run_folder.h"
#include "results/report/trace_file.h"

namespace gradwire::run {

/// Wirings by name.
using Wirings = std::map<std::string, std::unique_ptr<StandingWiring>>;

/// Points to be measured, and where results go.
struct MeasuringContext {
  /// A trace of some iterations of every point.
  struct Tracing {
    report::TraceFile& file;
    report::TraceWindow window;
  };

  const experiment::Experiment& experiment;
  std::span<const PreparedPoint> points;
  record::RunFolder& folder;
  Progress& progress;
  const Clock& clock;
  const Resumption& resumption;
  std::optional<Tracing> tracing;
};

/// Measures all points of an experiment on wirings that stand, whatever they are made of.
class MeasuringLoop {
 public:
  /// Begins the time that the run may take. What `context` refers to must outlive the loop.
  MeasuringLoop(const MeasuringContext& context, double dilation);

  /// Measures what the folder has not yet, and appends every sample to it. Points alternate
  /// iteration by iteration, in an order drawn anew each time, when the experiment says so. `wirings` must have that of every point. Throws FabricError, Interrupted,
  /// SystemError; what was measured before is in the folder.
  void measure(const Wirings& wirings);

  /// The wiring that was measured last, or is when measure() fails; null before the first point. One
  /// of those that measure() was given.
  [[nodiscard]] const StandingWiring* in_use() const { return in_use_; }

  /// Heeds signals and the time limit while nobody waits for an answer. Throws Interrupted, and
  /// FabricError when the run has taken longer than it may. Stands still after Ctrl-Z, which is not
  /// counted as time.
  void check_time();

 private:
  /// A point that is being measured, and what is known of it.
  struct MeasuredPoint {
    const PreparedPoint* point;
    std::size_t done = 0;  ///< measured iterations that the folder has
    workers::Session* session = nullptr;
    workers::Session::Assigned assigned = {};  ///< by the session
    std::optional<JobRecord> job = {};         ///< record of a training job
    Expectations expected = {};
    DisturbanceJudge judge = {};
    WiringTraffic carried = {};

    [[nodiscard]] const record::Configuration& configuration() const {
      return point->configuration;
    }
    [[nodiscard]] std::span<const Plan> plans() const { return job ? job->plans : point->plans; }
  };

  void measure_group(std::span<const PreparedPoint> group);
  void measure_all(std::vector<MeasuredPoint>& all);
  /// Marks the points in whose turns wirings have carried otherwise than planned.
  void judge_traffic(std::span<const MeasuredPoint> all);
  void mark(const PreparedPoint& point, std::span<const std::string> flags);
  /// The wiring of a point, which is in use from now on.
  StandingWiring& use(const MeasuredPoint& measured) {
    return *(in_use_ = wirings_->at(measured.configuration().wiring).get());
  }
  /// A wiring, by name, and what mpirun is told: settings of MPI hold for the life of a process.
  using MpiLaunch = std::pair<std::string, std::vector<std::string>>;
  /// Way to start the workers of a point where its algorithm needs MPI.
  [[nodiscard]] std::optional<MpiLaunch> launch_of(const MeasuredPoint& measured) const;
  /// The workers that a point is measured with: its wiring's, or those of MPI.
  [[nodiscard]] workers::Session& session_for(const MeasuredPoint& measured);
  /// Returns what `call` returns. Where the fabric fails meanwhile, the error names the point, if
  /// there are others.
  template <class Call>
  std::invoke_result_t<Call> naming(const PreparedPoint& point, Call call) const;
  /// The elements of the largest gradient that shares memory with that of a point: a worker has one
  /// for each type.
  [[nodiscard]] std::size_t room_beside(const MeasuredPoint& measured,
                                        std::span<const MeasuredPoint> all) const;
  void start(MeasuredPoint& measured, std::size_t room);
  void measure_iteration(MeasuredPoint& measured, std::size_t iteration);
  /// Says what happened to links during an iteration that `began` then. Returns whether anything
  /// did.
  bool tell_changes(const PreparedPoint& point, std::size_t iteration,
                    std::span<const record::RankIteration> ranks, TimePoint began);
  [[nodiscard]] record::Sample make_sample(const MeasuredPoint& measured, std::size_t iteration,
                                           std::span<const record::RankIteration> ranks) const;
  /// Time of an iteration of a point when nothing disturbs it, on the clock; 0 when nobody knows.
  [[nodiscard]] Seconds expected(const MeasuredPoint& measured) const;
  /// Keeps the timeline of a point's last warm-up iteration, or of the first without one.
  void keep_timeline(const PreparedPoint& point, std::size_t iteration,
                     std::vector<record::RankIteration> ranks);
  [[nodiscard]] workers::Job job_of(const PreparedPoint& point) const;
  /// Notes what is expected of a point that all ranks have been assigned: bound and GST.
  void expect(MeasuredPoint& measured);
  [[nodiscard]] bool is_kept(std::size_t iteration) const;
  [[nodiscard]] std::vector<std::string> flags_of(const MeasuredPoint& measured) const;
  [[nodiscard]] bool is_checked(std::size_t iteration) const;

  const experiment::Experiment& experiment_;
  std::span<const PreparedPoint> points_;
  record::RunFolder& folder_;
  Progress& progress_;
  const Clock& clock_;
  const Resumption& resumption_;
  PointRecordMaker records_;
  std::optional<Deadline> deadline_;
  double dilation_;
  const Wirings* wirings_ = nullptr;  ///< while measuring
  StandingWiring* in_use_ = nullptr;  ///< the one of wirings_ that is in use
  std::map<MpiLaunch, std::unique_ptr<workers::Session>> mpi_sessions_;
  TrafficMeter meter_;
  OtherPrograms others_{clock_};
  std::size_t steps_done_ = 0;
  std::optional<MeasuringContext::Tracing> tracing_;
};

}  // namespace gradwire::run
