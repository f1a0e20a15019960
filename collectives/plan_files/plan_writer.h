#pragma once

#include <span>
#include <string>

#include "collectives/plan_files/plan_file.h"

/// Plan files made of algorithms that are not files.
namespace gradwire::plan_files {

/// The Plans of all ranks, and their collective.
struct NamedPlans {
  std::string name;        ///< name for people
  std::string collective;  ///< "all-reduce", ...
  const Goal& goal;
  std::span<const Plan> plans;  ///< by rank
};

/// A file in which every element is a chunk. With any number of elements it does the same as the
/// Plans with theirs, as long as they are cut into as many equal parts. Throws InputError when they
/// cannot be: an all-to-all of fewer elements than ranks, or of no multiple of them, and more
/// elements or lanes than a file may have. Requires Plans that reach their goal.
[[nodiscard]] PlanFile plan_file_of(const topologies::Topology& topology, const NamedPlans& named);

/// The text of a plan file, as JSON, a transfer to a line: parse_plan_file() reads the same.
[[nodiscard]] std::string to_text(const PlanFile& file);

}  // namespace gradwire::plan_files
