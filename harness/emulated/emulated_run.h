#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "harness/campaign.h"
#include "harness/emulated/emulated_wiring.h"
#include "harness/emulated/link_findings.h"
#include "harness/experiment/experiment.h"
#include "harness/job_record.h"
#include "harness/point_records.h"
#include "harness/progress.h"
#include "harness/report/result.h"
#include "harness/report/trace_file.h"
#include "harness/resumption.h"
#include "harness/store/run_folder.h"

namespace gradwire::harness {

/// Measures all points of an experiment on emulated wirings. Must run inside
/// testbed::run_in_sandbox.
class EmulatedRun {
 public:
  /// A trace of some iterations of every point.
  struct Tracing {
    TraceFile& file;
    TraceWindow window;
  };

  /// The references must outlive it.
  EmulatedRun(const Experiment& experiment, std::span<const PreparedPoint> points,
              RunFolder& folder, Progress& progress, const Clock& clock,
              const Resumption& resumption, std::optional<Tracing> tracing = std::nullopt);

  /// Builds and calibrates the wirings, measures what the folder has not yet, and appends every
  /// sample to it. Points alternate iteration by iteration, in an order drawn anew each time, when
  /// the experiment says so and memory allows. Throws Preflight, FabricError, Interrupted,
  /// SystemError; what was measured before is in the folder.
  void measure();

  /// What the links were found to be like.
  [[nodiscard]] LinkFindings findings() const { return link_findings(calibration_); }

 private:
  /// A point that is being measured.
  struct Running {
    const PreparedPoint* point;
    std::unique_ptr<Session> session;
    std::size_t done = 0;  ///< measured iterations that the folder has
  };

  [[nodiscard]] double choose_dilation();
  [[nodiscard]] testbed::LinkShape shape_of(BitRate rate) const;
  void build_wirings();
  void measure_group(std::span<const PreparedPoint> group);
  void measure_all(std::vector<Running>& all);
  void count_bytes(std::span<const Running> group);
  [[nodiscard]] Running start(const PreparedPoint& point);
  void measure_iteration(Running& running, std::size_t iteration);
  [[nodiscard]] Sample make_sample(const PreparedPoint& point, std::size_t iteration,
                                   std::span<const RankIteration> ranks) const;
  /// Keeps the timeline of a point's last warm-up iteration, or of the first without one.
  void keep_timeline(const PreparedPoint& point, std::size_t iteration,
                     std::vector<RankIteration> ranks);
  [[nodiscard]] bool is_kept(std::size_t iteration) const;
  [[nodiscard]] std::span<const Plan> plans_of(const PreparedPoint& point) const;
  [[nodiscard]] std::size_t index_of(const PreparedPoint& point) const;
  [[nodiscard]] std::vector<std::string> flags_of(const PreparedPoint& point) const;
  [[nodiscard]] bool is_checked(std::size_t iteration) const;
  void check_time() const;

  const Experiment& experiment_;
  std::span<const PreparedPoint> points_;
  RunFolder& folder_;
  Progress& progress_;
  const Clock& clock_;
  const Resumption& resumption_;
  PointRecords records_;
  std::optional<Deadline> deadline_;
  double dilation_ = 1;
  nlohmann::json calibration_;                                      ///< as in calibration.json
  std::map<std::string, std::unique_ptr<EmulatedWiring>> wirings_;  ///< by name
  std::vector<std::optional<JobRecord>> jobs_;                      ///< by point, once begun
  std::size_t steps_done_ = 0;
  std::optional<Tracing> tracing_;
};

}  // namespace gradwire::harness
