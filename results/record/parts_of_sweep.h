#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

/// The runs that together are one whole sweep.
namespace gradwire::record {

/// Reads the parts of a sweep; returns them by number. Throws InputError, which names the folders,
/// when one of them is no part, is damaged, is being written or, unless `incomplete` says that this
/// may be, did not end; has points of another part, is of another experiment or measured by another
/// build of gradwire than the first, or was emulated with another dilation; and when a part is there
/// twice or is missing.
[[nodiscard]] std::vector<StoredRun> read_parts(std::span<const std::filesystem::path> folders,
                                                bool incomplete);

/// The context.json of the whole, of parts by number. It is that of the first, but: `started` is
/// when the first of them began; `arguments` are these; `overrides` are those that all parts ended
/// with; `machine` has what all parts have in common and null for what differs; `planned` counts the
/// points of all; `resumed` is empty; `parts` has what each part's context says.
[[nodiscard]] nlohmann::json merged_context(std::span<const StoredRun> parts,
                                            const std::vector<std::string>& arguments);

}  // namespace gradwire::record
