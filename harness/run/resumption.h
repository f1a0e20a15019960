#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiment/overrides.h"
#include "harness/run/prepare.h"
#include "results/record/stored_run.h"

namespace gradwire::run {

/// Results that a run folder has already. Empty for a new run.
class Resumption {
 public:
  Resumption() = default;
  explicit Resumption(const record::StoredRun& run);

  /// Number of measured iterations of a point that need not be made again: those that are there; of
  /// a training job all or none, because the buckets it chooses next may differ.
  [[nodiscard]] std::size_t done(const std::string& key, std::size_t iterations) const;
  /// The dilation of the emulated points; nothing when there are none.
  [[nodiscard]] std::optional<double> dilation() const { return dilation_; }

 private:
  struct Measured {
    std::size_t iterations = 0;
    bool trains = false;
  };

  std::map<std::string, Measured> points_;  ///< by key
  std::optional<double> dilation_;
};

/// An experiment as a run folder has it, with what is asked for now.
struct ResumedExperiment {
  experiment::Experiment experiment;
  experiment::Overrides overrides;
  std::size_t attempt = 1;
};

/// Throws InputError when the folder does not say what it measured, or `asked` would change it.
[[nodiscard]] ResumedExperiment resume_experiment(const record::StoredRun& run,
                                                  const experiment::Overrides& asked);

/// Throws InputError for a run that was put together of parts: what it would be gone on with was
/// measured on their machines.
void require_own_points(const record::StoredRun& run);

/// The records of simulated points that are done, with the number of iterations asked for now:
/// their one sample stands for all of them.
[[nodiscard]] std::vector<record::PointRecord> extended(const record::StoredRun& run,
                                                        const ResumedExperiment& resumed);

/// Throws InputError when only simulations are left that go by a calibration which cannot be read.
void require_findings(const record::StoredRun& run, const PreparedPoints& left);

/// Takes the points out that have all their iterations. Throws InputError when the run has points
/// that the experiment does not have: something that it reads, such as a trace, is no longer what
/// it was.
void remove_done(const record::StoredRun& run, const experiment::Experiment& experiment,
                 PreparedPoints& points);

}  // namespace gradwire::run
