#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign.h"
#include "harness/report/gate.h"
#include "harness/report/result.h"
#include "harness/store/stored_run.h"

namespace CLI {
class App;
}

namespace gradwire::harness {

/// What a run is held against in the end, as the command line says it.
struct RunCheckOptions {
  std::optional<std::string> min_efficiency;
  std::optional<std::string> junit;  ///< where JUnit XML is written
};

/// Adds --min-eff and --junit. `options` must outlive the parsing.
void add_check_options(CLI::App& app, RunCheckOptions& options);

class RunChecks {
 public:
  /// Throws InputError for an efficiency that is none and for a place that cannot be written.
  explicit RunChecks(const RunCheckOptions& options);

  /// Every point of the run on every backing, also those that need not be measured again.
  void plan(const PreparedPoints& points);

  /// Names on stderr the points of a run that the gate does not let through, and writes the JUnit
  /// file; `failure` is why it ended before, if it did. Returns whether all passed. Throws
  /// SystemError.
  [[nodiscard]] bool apply(const StoredRun& run, const std::exception_ptr& failure) const;

 private:
  std::optional<Gate> gate_;
  std::optional<std::filesystem::path> junit_;
  std::vector<Configuration> planned_;
};

}  // namespace gradwire::harness
