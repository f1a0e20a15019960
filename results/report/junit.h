#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"
#include "results/record/row.h"
#include "results/report/gate.h"

/// JUnit XML for CI servers.
namespace gradwire::report {

struct JunitCase {
  enum class Result : std::uint8_t { passed, failure, error, skipped };

  std::string name;  ///< name of a point: point_name
  Seconds time{};    ///< undilated, as every reported time
  Result result = Result::passed;
  std::string message;  ///< reason why it did not pass
};

struct JunitSuite {
  std::string name;     ///< experiment's; also every case's class name
  std::string started;  ///< UTC, "2026-03-01T12:00:05Z"; may be empty
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
};

/// A whole XML document in UTF-8 with one <testsuite>. Characters that XML cannot hold, and bytes
/// that are not UTF-8, become U+FFFD.
[[nodiscard]] std::string format_junit(const JunitSuite& suite);

/// Outcome of a run, as far as it came.
struct RunOutcome {
  const nlohmann::json& context;                   ///< context.json
  std::span<const record::Configuration> planned;  ///< every point on every backing
  std::span<const record::Row> rows;               ///< rows of the points that were measured
  std::span<const GateFailure> failures;           ///< failures of the rows
  std::optional<std::string> ended_because;        ///< reason why the run ended early, if it did
};

/// Makes a suite with a case per planned point, whose time is that of all measured iterations.
/// Wrong elements and gate failures are failures; a point without a row is skipped. When the run
/// ended early, that is an error of the points that it left incomplete, or else of a case of its
/// own. Properties are left out where the context lacks them.
[[nodiscard]] JunitSuite junit_of_run(const RunOutcome& outcome);

/// Time of all measured iterations of a row together.
[[nodiscard]] Seconds measured_time(const record::Row& row);

/// The properties that a context has: {"commit": ..., "kernel": ...}. Names begin with `prefix`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> junit_properties(
    const nlohmann::json& context, const std::string& prefix = "");

}  // namespace gradwire::report
