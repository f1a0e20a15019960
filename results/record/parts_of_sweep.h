#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

/// Runs that are the parts of one sweep.
namespace gradwire::record {

/// Reads the parts of a sweep and returns them by number. Throws InputError, which names the
/// folders, when one of them is no part, is damaged, is being written, or did not end (unless
/// `incomplete` allows that); has points of another part; is of another experiment, or measured by
/// another build of gradwire, than the first; was emulated with another dilation; and when a part
/// is there twice or is missing.
[[nodiscard]] std::vector<StoredRun> read_parts(std::span<const std::filesystem::path> folders,
                                                bool incomplete);

/// The context.json of the whole, made from parts by number. It is the first part's, but: `started`
/// is when the first of them began; `arguments` are these; `overrides` are those that all parts
/// ended with; `machine` has what all parts have in common and null for what differs; `planned`
/// counts the points of all; `resumed` is empty; `parts` has each part's context.
[[nodiscard]] nlohmann::json merged_context(std::span<const StoredRun> parts,
                                            const std::vector<std::string>& arguments);

}  // namespace gradwire::record
