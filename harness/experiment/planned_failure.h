#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/error.h"
#include "core/text/yaml_reader.h"
#include "core/units.h"
#include "topologies/topology.h"

/// Failures planned for a simulation: the key `failures`.
namespace gradwire::experiment {

/// A host, one of its ports, a switch or a cable. Exactly one of host, switch_number and link is
/// set; port only with host.
struct PlannedFailure {
  std::optional<std::size_t> host;
  std::optional<std::size_t> port;
  std::optional<std::size_t> switch_number;
  std::optional<std::size_t> link;
  Nanoseconds at{};
  std::optional<Nanoseconds> until;
  SourcePlace place;  ///< place of the entry
};

/// The key's value. Throws InputError with its place: for a time before zero, an end before the
/// beginning, or none or several things named.
[[nodiscard]] std::vector<PlannedFailure> read_failures(
    const std::vector<text::YamlReader>& entries, const std::vector<SourcePlace>& places);

/// "host 4 port 1", "switch 3 (level 0 switch 3)", "cable 12".
[[nodiscard]] std::string describe(const PlannedFailure& failure,
                                   const topologies::Topology& topology);

/// Host, port, switch, link, at, until: null where the failure does not say; in nanoseconds.
[[nodiscard]] nlohmann::json to_json(const PlannedFailure& failure);

/// The cables that go down. Throws InputError at the failure's place when the wiring has no such
/// thing.
[[nodiscard]] std::vector<LinkId> cables_of(const PlannedFailure& failure,
                                            const topologies::Topology& topology);

}  // namespace gradwire::experiment
