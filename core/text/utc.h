#pragma once

#include <chrono>
#include <string>

namespace gradwire::text {

/// The time in ISO 8601, in UTC: "2026-03-01T12:00:05Z".
[[nodiscard]] std::string format_utc(std::chrono::system_clock::time_point time);

}  // namespace gradwire::text
