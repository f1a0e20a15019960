#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/error.h"
#include "core/memory.h"
#include "core/units.h"
#include "harness/experiment/assumed_cost.h"
#include "harness/experiment/compute.h"
#include "harness/experiment/fabric.h"
#include "harness/experiment/planned_failure.h"
#include "harness/experiment/task.h"
#include "results/record/backing.h"
#include "results/record/gain_query.h"
#include "topologies/cost.h"
#include "transport/execution/settings.h"

/// Experiment files. Their form is results/schema/experiment.schema.json, with the meaning of
/// every key.
namespace gradwire::experiment {

inline constexpr std::size_t kMaxPoints = 1000;
/// Most elements of a gradient.
inline constexpr std::uint64_t kMaxElements = 100'000'000'000;
/// The kernel counts a connection's timeout in milliseconds, in 31 bits.
inline constexpr std::chrono::hours kMaxTimeout{24 * 24};
/// Limits of a shaper, which takes whole bytes a second and a burst of 1 ms in 32 bits.
inline constexpr BitRate kMinShapedRate{1e3};
inline constexpr BitRate kMaxShapedRate{34e12};
/// Hosts of a wiring on one machine.
inline constexpr std::size_t kMaxEmulatedHosts = 1024;

/// The places where an experiment says what a task is, for errors that are found later.
struct TaskPlaces {
  SourcePlace algorithm;
  SourcePlace wiring;
  SourcePlace schedule;  ///< nowhere when it is left out
  SourcePlace type;      ///< nowhere when it is left out
  SourcePlace amount;    ///< workload, elements or size; compute when all are left out
};

/// One row of the result.
struct Point {
  std::size_t index = 0;  ///< position in Experiment::points
  Task task;
  TaskPlaces places;
};

/// The real hosts that an experiment runs on.
struct HostsSettings {
  /// File, from the command line alone: what an inventory names is run as the user, so no file of
  /// somebody else may choose it. Empty: not said.
  std::string inventory;
  SourcePlace unused_inventory;       ///< in the file, which may not name one
  bool ignores_verification = false;  ///< hosts that did not pass are measured all the same
};

/// Choice of the iterations whose result is verified, outside the timed part.
enum class Check : std::uint8_t { every, first_last, never };

/// "every", "first-last", "never".
[[nodiscard]] std::string to_string(Check check);

/// A valid experiment; a value that the file leaves out has its default.
struct Experiment {
  std::string file;  ///< name for messages
  std::string text;  ///< the file, unchanged
  std::string name;
  std::string description;
  std::vector<record::Backing> backings;  ///< emulated or hosts, and simulated, as they run
  SourcePlace backing_place;              ///< nowhere unless the file says it
  execution::TransportSettings transport;
  SourcePlace transport_place;  ///< nowhere unless the file says it
  std::optional<HostsSettings> hosts;
  Memory memory = Memory::host;  ///< holds the gradients
  SourcePlace memory_place;      ///< nowhere unless the file says it
  /// Rate of a link of speed 1, per direction, undilated. Unlimited: as fast as the machine can.
  BitRate rate;
  std::size_t mtu = 0;
  bool headers = true;     ///< packets carry headers, which take their share of the rate
  Seconds startup{};       ///< alpha of every message, undilated
  SourcePlace link_place;  ///< key `link`
  Seconds delay{};         ///< along every cable; simulated only
  Fabric fabric;
  std::optional<double> dilation;  ///< >= 1; absent: chosen for the machine
  std::size_t warmup = 0;
  std::size_t iterations = 0;
  Check check = Check::every;
  Nanoseconds timeout{};                ///< nothing moves for this long: the run fails
  std::optional<Nanoseconds> max_time;  ///< ends the whole run
  std::uint64_t seed = 0;
  bool interleave = true;
  std::optional<Compute> compute;        ///< absent: nothing is computed, everything is one bucket
  AssumedCost cost;                      ///< plans without measuring
  std::vector<PlannedFailure> failures;  ///< simulated only
  std::optional<topologies::Prices> prices;
  std::optional<record::GainQuery> gains;
  std::vector<Point> points;  ///< at least one
};

/// "unlimited", or what parse_bit_rate reads; throws as that does.
[[nodiscard]] BitRate parse_link_rate(const std::string& text);

/// Throws InputError, without a place, unless the timeout is at most kMaxTimeout.
void check_timeout(Nanoseconds timeout);

/// Rate at which a link of speed 1 carries gradients, undilated: without the packets' headers.
[[nodiscard]] BitRate payload_rate(const Experiment& experiment);

/// Facts about a link of speed 1 that formulas need.
[[nodiscard]] LinkFacts link_facts(const Experiment& experiment);

/// Settings of the experiment, beside its points, that decide how long a point takes on a backing:
/// part of the point's key (harness/run/point_key.h). A setting that is added to experiments stands
/// here only when it differs from its default, so that keys of runs made before stay.
[[nodiscard]] nlohmann::json counted(const Experiment& experiment, record::Backing backing);

/// Whether the experiment runs on this backing.
[[nodiscard]] bool runs_on(const Experiment& experiment, record::Backing backing);

/// Throws InputError, with its place, for what the experiment asks of a backing that has none of
/// it: no headers, delays or failures in an emulation, where they would be wrong numbers, no links
/// without a rate in virtual or dilated time, and no dilated rate that a shaper does not take.
void check_backings(const Experiment& experiment);

/// Throws InputError when the experiment runs on hosts and the command line names no inventory.
void check_inventory(const Experiment& experiment);

/// Reads an experiment. Throws InputError with file, line and column. Allocates no more than the
/// largest wiring named needs.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& path);

/// Reads an experiment from text that messages call `name`; throws as load_experiment does.
[[nodiscard]] Experiment load_experiment_text(std::string_view text, const std::string& name);

}  // namespace gradwire::experiment
