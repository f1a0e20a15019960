#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/experiment/experiment.h"
#include "harness/experiment/overrides.h"
#include "results/record/sweep_part.h"

namespace gradwire::run {

/// The machine as it is now: kernel, CPU model and count, governor, memory, load, clock source,
/// limits, and the sysctls that decide about sockets and namespaces. What the machine does not say
/// is null. Never throws for a file that is missing or odd.
[[nodiscard]] nlohmann::json machine_context();

/// Version, commit, dirty, compiler, build type, flags.
[[nodiscard]] nlohmann::json build_context();

/// Facts that tell one run from the next.
struct RunIdentity {
  std::size_t planned = 0;             ///< points to be measured, each backing counted
  std::vector<std::string> arguments;  ///< argv
  std::chrono::system_clock::time_point started;
  const experiment::Experiment& experiment;
  const experiment::Overrides& overrides;
  std::optional<record::PartRecord> part = {};  ///< part of the points that is run, if not all
};

/// The content of context.json, whose schema is results/schema/context.schema.json.
[[nodiscard]] nlohmann::json run_context(const RunIdentity& run);

/// Content of context.json for a resumed run: with what was different this time as the last of
/// "resumed". What part of a sweep it is stays as it was.
[[nodiscard]] nlohmann::json resumed_context(nlohmann::json context, const RunIdentity& run);

}  // namespace gradwire::run
