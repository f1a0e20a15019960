#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/plan.h"
#include "core/units.h"
#include "harness/result.h"
#include "testbed/calibration.h"
#include "transport/tcp/handshake.h"
#include "transport/tcp/socket.h"

/// What the harness tells a worker, and what it hears back.
namespace gradwire::harness {

/// What a worker is to run, until it is told something else.
struct Job {
  Rank rank;
  std::string wiring;
  std::string algorithm;                           ///< empty: carry `flows` instead
  std::string workload;                            ///< empty: `elements` decides
  std::size_t elements = 0;                        ///< of the gradient; of each flow
  std::vector<testbed::Flow> flows;                ///< a calibration
  std::vector<transport::tcp::PortBinding> ports;  ///< by Port
  transport::tcp::RunKey key{};
  Nanoseconds timeout{};  ///< nothing moves for this long: it fails
};

[[nodiscard]] nlohmann::json to_json(const Job& job);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] Job job_from_json(const nlohmann::json& json);

/// What one rank measured of one iteration, on the machine's monotonic clock.
struct RankStep {
  Nanoseconds start{};  ///< since the clock's beginning
  Nanoseconds end{};
  std::optional<std::int64_t> wrong;  ///< absent: not verified
};

[[nodiscard]] nlohmann::json to_json(const RankStep& step);
[[nodiscard]] RankStep rank_step_from_json(const nlohmann::json& json);

/// This rank's Plan of the job. Throws InputError when the job does not make sense.
[[nodiscard]] Plan plan_of(const Job& job);
/// The elements of the gradient buffer that it needs.
[[nodiscard]] std::size_t buffer_elements(const Job& job);
/// The ranks that contribute: all but dedicated parameter servers.
[[nodiscard]] std::vector<Rank> contributors(const Job& job);

}  // namespace gradwire::harness
