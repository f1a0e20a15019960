#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::record {

/// Merge of the parts of a sweep.
struct Merge {
  std::span<const std::filesystem::path> parts;  ///< run folders, in any order
  std::filesystem::path to;                      ///< a new folder
  std::vector<std::string> arguments;            ///< argv, for context.json
  bool incomplete = false;                       ///< whether unfinished parts are taken as they are
  /// Function that makes the content of results.json from the whole run. An exception of it ends
  /// merging.
  std::function<nlohmann::json(const StoredRun& whole)> results;
};

/// Merges the parts of a sweep into one run folder (parts_of_sweep.h). Lines are copied to the
/// byte, in the order in which one run of the whole experiment measures points: backing after
/// backing, by their place in the experiment, the lines of a point together. calibration-<i>.json
/// and hosts-<i>.json are part i's findings about its links and hosts, of its last attempt if it
/// was resumed. Parts are only read.
///
/// The folder appears whole or not at all, and then survives a power cut. Throws InputError as
/// read_parts does, when `to` exists, also as a symbolic link that leads nowhere, when it lies in a
/// part, and when a part changed meanwhile; SystemError.
void merge_parts(const Merge& merge);

}  // namespace gradwire::record
