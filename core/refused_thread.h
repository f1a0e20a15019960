#pragma once

#include <exception>
#include <optional>

#include "core/error.h"

namespace gradwire {

/// What std::thread and std::async throw when no thread can be started, as an error that says so
/// and what refuses it. Nothing of any other exception.
[[nodiscard]] std::optional<SystemError> refused_thread(const std::exception& error);

}  // namespace gradwire
