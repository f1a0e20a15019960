#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"
#include "core/file_descriptor.h"

namespace gradwire::harness {

/// Both ends of a connection that carries messages, one JSON value each: between the harness and a
/// worker that it started. Never carries gradients.
struct ControlPair {
  FileDescriptor ours;
  FileDescriptor theirs;
};

/// Throws SystemError.
[[nodiscard]] ControlPair make_control_pair();

/// Sends one message. Throws SystemError when the other end is gone.
void send_message(int control, const nlohmann::json& message);

/// Blocks until a message has come. Nothing when the other end is gone. Throws SystemError, and
/// InternalError for what is no message.
[[nodiscard]] std::optional<nlohmann::json> receive_message(int control);

}  // namespace gradwire::harness
