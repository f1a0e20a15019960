#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "collectives/plan_files/plan_file.h"

/// Plan files in the form in which users and `gradwire plan --export` write them:
///
///     gradwire-plan: 1
///     collective: all-gather
///     members: 3
///     chunks: 3
///     lanes:
///       - - [{from: 0, to: 1, chunk: 0}, {from: 1, to: 2, chunk: 1}, {from: 2, to: 0, chunk: 2}]
///         - [{from: 0, to: 1, chunk: 2}, {from: 1, to: 2, chunk: 0}, {from: 2, to: 0, chunk: 1}]
///
/// or the same as JSON, which is YAML. results/schema/plan.schema.json says what each key means.
namespace gradwire::plan_files {

inline constexpr std::size_t kMostPlanFileBytes = std::size_t{8} << 20;

/// Reads the text of a plan file, which messages call `file`. It does not check whether the steps
/// reach the goal. Throws InputError with file, line and column when it is no YAML that
/// core/text/yaml_document.h reads, does not follow the schema, or contradicts itself: a rank or a
/// chunk that does not exist, a transfer from a rank to itself, owners or chunks that do not go
/// with the collective, a key of another collective.
[[nodiscard]] PlanFile parse_plan_file(std::string_view text, const std::string& file);

/// Reads a regular file: a plan file, or, if its name ends in ".xml", an algorithm of MSCCL
/// (msccl.h). Never waits: a pipe or a device is refused. Throws InputError like the readers, and
/// for a file that cannot be read or is larger than kMostPlanFileBytes.
[[nodiscard]] PlanFile load_plan_file(const std::filesystem::path& path);

/// The contents of a file, read once while the program runs and shared by all threads: the
/// algorithm of a job does not change when its file does. Throws like load_plan_file().
[[nodiscard]] std::shared_ptr<const PlanFile> shared_plan_file(const std::string& path);

}  // namespace gradwire::plan_files
