#pragma once

#include <set>
#include <string>

#include "core/text/yaml_reader.h"
#include "results/record/gain_query.h"

namespace gradwire::experiment {

/// The algorithms and schedules of an experiment's points, each in its one spelling: what the key
/// `compare` may name.
struct ComparableNames {
  std::set<std::string> algorithms;
  std::set<std::string> schedules;
};

/// Reads the key `compare`, which stands at `place`. Throws InputError with its place, also for an
/// algorithm or schedule that no point has.
[[nodiscard]] record::GainQuery read_gain_query(const text::YamlReader& reader,
                                                const SourcePlace& place,
                                                const ComparableNames& names);

}  // namespace gradwire::experiment
