#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "library/gradwire.h"

/// Jobs of libgradwire for C++: failures are exceptions, and a reference keeps its job.
namespace gradwire::pytorch {

/// Part of one rank in a job. It leaves the job when the last reference goes, in the process that
/// joined.
using Job = std::shared_ptr<gradwire_job>;

/// Joins a job with options "key=value" (docs/library.md). Blocks until all ranks have come. Throws
/// std::runtime_error with the reason when that fails.
[[nodiscard]] Job join(const std::vector<std::string>& options);

/// Throws std::runtime_error unless a function of the job, which this thread has called last,
/// returned GRADWIRE_OK. Its text says what failed, which rank is at fault if that is known, and
/// why.
void require_ok(const gradwire_job* job, std::string_view operation, int code);

}  // namespace gradwire::pytorch
