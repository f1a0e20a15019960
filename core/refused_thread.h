#pragma once

#include <exception>
#include <optional>

#include "core/error.h"

namespace gradwire {

/// The exception of std::thread and std::async, when no thread can be started, as an error that
/// says so and what refuses it. Nothing of any other exception.
[[nodiscard]] std::optional<SystemError> refused_thread(const std::exception& error);

}  // namespace gradwire
