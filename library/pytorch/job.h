#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "library/gradwire.h"

/// libgradwire's jobs for C++: failures are exceptions, and who holds a job keeps it.
namespace gradwire::pytorch {

/// One rank's part in a job. It is left when the last reference goes, in the process that joined.
using Job = std::shared_ptr<gradwire_job>;

/// Joins a job with options "key=value" (docs/library.md). Blocks until all ranks have come. Throws
/// std::runtime_error with why it does not.
[[nodiscard]] Job join(const std::vector<std::string>& options);

/// Throws std::runtime_error unless a function of the job, which this thread has called last, returned
/// GRADWIRE_OK: what failed, which rank is at fault if that is known, and why.
void require_ok(const gradwire_job* job, std::string_view operation, int code);

}  // namespace gradwire::pytorch
