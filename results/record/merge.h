#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::record {

/// Parts of a sweep that are to be put together.
struct Merge {
  std::span<const std::filesystem::path> parts;  ///< run folders, in any order
  std::filesystem::path to;                      ///< a new folder
  std::vector<std::string> arguments;            ///< argv, for context.json
  bool incomplete = false;                       ///< parts that did not end are taken as they are
  /// Makes what results.json holds, from the whole run. What it throws ends merging.
  std::function<nlohmann::json(const StoredRun& whole)> results;
};

/// Makes one run folder of a sweep's parts (parts_of_sweep.h). Lines are those of the parts to the
/// byte, in the order in which one run of the whole experiment measures points: backing after
/// backing, by their place in the experiment, the lines of a point together. calibration-<i>.json
/// and hosts-<i>.json are what part i found of its links and hosts, the last time if it was resumed.
/// Parts are only read.
///
/// The folder appears whole or not at all, and survives a power cut then. Throws InputError as
/// read_parts does, when `to` exists, also as a symbolic link that leads nowhere, when it lies in a
/// part, and when a part changed meanwhile; SystemError.
void merge_parts(const Merge& merge);

}  // namespace gradwire::record
