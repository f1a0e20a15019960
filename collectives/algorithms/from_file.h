#pragma once

#include <memory>
#include <string>

#include "collectives/algorithms/algorithm.h"
#include "core/text/spec.h"
#include "topologies/topology.h"

/// Algorithms that come from files, by the name that experiments use: plan(file.json).
namespace gradwire::algorithms {

/// Whether it names a file's algorithm.
[[nodiscard]] bool is_plan_file(const text::Spec& spec);

/// The algorithm of a file, which is read once while the program runs. Throws InputError for a name
/// without a file, and as load_plan_file (collectives/plan_files/plan_reader.h).
[[nodiscard]] std::shared_ptr<const Method> make_from_file(const text::Spec& spec,
                                                           const topologies::Topology& topology);

/// Whether the name stands for what a file says: an algorithm's, or counts (pair_counts.h).
[[nodiscard]] bool names_file(const text::Spec& spec);

/// The name with its file's path, which is meant relative to the file that names it. Throws
/// InputError for a path that no name can hold.
[[nodiscard]] text::Spec in_folder_of(text::Spec spec, const std::string& file);

}  // namespace gradwire::algorithms
