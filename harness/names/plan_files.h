#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "collectives/plan_files/plan_file.h"
#include "core/text/spec.h"
#include "topologies/topology.h"

/// Algorithms that come from files, by the name that experiments use: plan(file.json).
namespace gradwire::names {

/// Whether it names a file's algorithm.
[[nodiscard]] bool is_plan_file(const text::Spec& algorithm);

/// What its file says, read once while the program runs. Throws InputError for a name without a
/// file, and as load_plan_file (collectives/plan_files/plan_reader.h). Requires is_plan_file.
[[nodiscard]] std::shared_ptr<const plan_files::PlanFile> plan_file_of(const text::Spec& algorithm);

/// Proves the file's Plans with an element for each chunk, which proves them for any number. Throws
/// InputError with the first finding, in which elements are chunks, and as plan_files::check_size and
/// plans_of.
void prove_plan_file(const text::Spec& algorithm, const topologies::Topology& topology);

/// An algorithm of ours as a plan file, in which each element is a chunk; of plan(file), what that
/// file says, for any number of elements. Throws InputError as make_checked_plans, and as
/// plan_files::plan_file_of.
[[nodiscard]] std::string plan_text(const text::Spec& algorithm,
                                    const topologies::Topology& topology, std::size_t elements);

/// Whether the name stands for what a file says: an algorithm's, or counts (pair_counts.h).
[[nodiscard]] bool names_file(const text::Spec& algorithm);

/// A number for what the file says, but for a plan's name, by which another file is told; empty where
/// there is none. Throws as plan_file_of and pair_counts_of.
[[nodiscard]] std::string file_digest(const text::Spec& algorithm);

/// The name with its file's path, which is meant relative to the file that names it. Throws
/// InputError for a path that no name can hold.
[[nodiscard]] text::Spec in_folder_of(text::Spec algorithm, const std::string& file);

}  // namespace gradwire::names
