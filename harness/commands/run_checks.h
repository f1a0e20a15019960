#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/prepare.h"
#include "results/record/row.h"
#include "results/record/stored_run.h"
#include "results/report/gate.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

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
  void plan(const run::PreparedPoints& points);

  /// Names on stderr the points of a run that the gate does not let through, and writes the JUnit
  /// file; `failure` is why it ended before, if it did. Returns whether all passed. Throws
  /// SystemError.
  [[nodiscard]] bool apply(const record::StoredRun& run, const std::exception_ptr& failure) const;

 private:
  std::optional<report::Gate> gate_;
  std::optional<std::filesystem::path> junit_;
  std::vector<record::Configuration> planned_;
};

}  // namespace gradwire::commands
