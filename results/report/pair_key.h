#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// What a run's links were asked to be: `link` of its context. Of a run without a context, one that
/// says nothing.
[[nodiscard]] nlohmann::json link_of(const record::StoredRun& run);

/// 16 hex digits that are the same for rows that differ in nothing but their backing and their
/// place in an experiment, whatever runs they are of: everything else of the configuration, the
/// links (link_of()) and where a training job's computing times come from. Of a
/// program that computed, that is what it was predicted from.
[[nodiscard]] std::string pair_key(const nlohmann::json& link, const record::Row& row);

}  // namespace gradwire::report
