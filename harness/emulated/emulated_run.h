#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "harness/campaign.h"
#include "harness/emulated/emulated_wiring.h"
#include "harness/experiment/experiment.h"
#include "harness/job_record.h"
#include "harness/progress.h"
#include "harness/report/result.h"
#include "harness/report/run_folder.h"
#include "harness/report/trace_file.h"

namespace gradwire::harness {

/// What emulated links are like beside their rate.
struct LinkFindings {
  Seconds startup{};        ///< of a message, beside its bytes and link.startup; undilated
  double burst = 0;         ///< bytes that a shaper lets through at once after a pause
  double burst_factor = 1;  ///< how much faster than the rate
};

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
              std::optional<Tracing> tracing = std::nullopt);

  /// Builds and calibrates the wirings, measures, and appends every sample to the folder. Points
  /// alternate iteration by iteration, in an order drawn anew each time, when the experiment says
  /// so and memory allows. Throws Preflight, FabricError, Interrupted, SystemError; what was
  /// measured before is in rows() then.
  void measure();

  /// A row for every point of which an iteration was measured.
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] double dilation() const { return dilation_; }
  /// By wiring.
  [[nodiscard]] std::map<std::string, LinkFindings> findings() const;

 private:
  /// A point that is being measured.
  struct Running {
    const PreparedPoint* point;
    std::unique_ptr<Session> session;
  };

  [[nodiscard]] double choose_dilation();
  void build_wirings();
  void measure_group(std::span<const PreparedPoint> group);
  void count_bytes(std::span<const PreparedPoint> group);
  [[nodiscard]] Running start(const PreparedPoint& point);
  void measure_iteration(Running& running, std::size_t iteration);
  [[nodiscard]] Sample make_sample(const PreparedPoint& point, std::size_t iteration,
                                   std::span<const RankIteration> ranks) const;
  [[nodiscard]] std::size_t index_of(const PreparedPoint& point) const;
  [[nodiscard]] std::vector<std::string> flags_of(const PreparedPoint& point) const;
  [[nodiscard]] bool is_checked(std::size_t iteration) const;
  void check_time() const;

  const Experiment& experiment_;
  std::span<const PreparedPoint> points_;
  RunFolder& folder_;
  Progress& progress_;
  const Clock& clock_;
  std::optional<Deadline> deadline_;
  double dilation_ = 1;
  std::map<std::string, std::unique_ptr<EmulatedWiring>> wirings_;  ///< by name
  std::vector<std::vector<Sample>> samples_;                        ///< by point
  std::vector<std::optional<JobRecord>> jobs_;                      ///< by point, once begun
  std::map<std::string, std::vector<std::string>> wiring_flags_;    ///< found out after measuring
  std::size_t steps_done_ = 0;
  std::optional<Tracing> tracing_;
};

}  // namespace gradwire::harness
