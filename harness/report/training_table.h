#pragma once

#include <span>
#include <string>

#include "harness/report/result.h"

namespace gradwire::harness {

/// The rows that are training jobs, as a table of what training adds: measured beside predicted
/// iteration time, and where the computing times come from. Empty without any.
[[nodiscard]] std::string format_training_table(std::span<const Row> rows);

}  // namespace gradwire::harness
