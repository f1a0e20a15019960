#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/text/yaml_reader.h"
#include "workloads/profile.h"

/// The computing half of a training job: the key `compute` of an experiment.
namespace gradwire::experiment {

/// Occupation of a host's processor while a device would compute.
enum class ProcessorLoad : std::uint8_t {
  wait,  ///< sleeps
  cpu,   ///< keeps a core busy
};

/// The load's name in files: "wait" or "cpu".
[[nodiscard]] std::string to_string(ProcessorLoad load);
/// The load of this name. Requires a name that to_string() makes.
[[nodiscard]] ProcessorLoad processor_load_of(const std::string& text);

/// Source of the computing times: a device or a trace, one of them given.
struct Compute {
  std::string device;
  std::size_t devices = 1;
  double efficiency = workloads::kDefaultEfficiency;
  std::string trace;  ///< a published name or a path
  ProcessorLoad load = ProcessorLoad::wait;
  std::filesystem::path folder;  ///< folder that a relative path begins in
  SourcePlace place;             ///< place of device or trace
};

/// The key's value. Throws InputError with its place.
[[nodiscard]] Compute read_compute(const text::YamlReader& reader, const SourcePlace& place);

/// Durations of a model's passes on `batch` samples per host. An empty `workload` asks for
/// what the trace describes. Throws InputError at the place in the trace or of the key; of an
/// unknown workload without one.
[[nodiscard]] workloads::Profile make_profile(const Compute& compute, const std::string& workload,
                                              std::uint64_t batch);

}  // namespace gradwire::experiment
