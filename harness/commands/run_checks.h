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

/// Options of the command line for checks at a run's end.
struct RunCheckOptions {
  std::optional<std::string> min_efficiency;
  std::optional<std::string> junit;  ///< file that JUnit XML is written to
};

/// Adds --min-eff and --junit. `options` must outlive the parsing.
void add_check_options(CLI::App& app, RunCheckOptions& options);

class RunChecks {
 public:
  /// Reads the options. Throws InputError for an invalid efficiency and for a file that cannot be
  /// written.
  explicit RunChecks(const RunCheckOptions& options);

  /// Notes every point of the run on every backing, also those that need not be measured again.
  void plan(const run::PreparedPoints& points);

  /// Applies the checks: names on stderr the points of a run that fail the gate, and writes the
  /// JUnit file. `failure` is why the run ended early, if it did. Returns whether all passed.
  /// Throws SystemError.
  [[nodiscard]] bool apply(const record::StoredRun& run, const std::exception_ptr& failure) const;

 private:
  std::optional<report::Gate> gate_;
  std::optional<std::filesystem::path> junit_;
  std::vector<record::Configuration> planned_;
};

}  // namespace gradwire::commands
