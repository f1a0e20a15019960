#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// The links that a run asked for: `link` of its context. For a run without a context, one that
/// says nothing.
[[nodiscard]] nlohmann::json link_of(const record::StoredRun& run);

/// A key of 16 hex digits that is equal for rows that differ only in their backing and their place
/// in an experiment, in any runs. It is made of everything else in the configuration, the links
/// (link_of()) and the origin of a training job's computing times. For a program that computed,
/// that is the profile that it was predicted from.
[[nodiscard]] std::string pair_key(const nlohmann::json& link, const record::Row& row);

}  // namespace gradwire::report
