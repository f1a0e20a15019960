#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"
#include "core/file_descriptor.h"

namespace gradwire::workers {

/// Both ends of a connection that carries messages, one JSON value each: between the harness and a
/// worker that it started. Never carries gradients.
struct ControlPair {
  FileDescriptor ours;
  FileDescriptor theirs;
};

/// Throws SystemError.
[[nodiscard]] ControlPair make_control_pair();

/// A socket at a path of the file system, whatever the network namespace, where connections of the
/// same kind arrive. Throws SystemError, also when the path is too long for a socket's.
[[nodiscard]] FileDescriptor listen_control(const std::string& path);
/// The other end of such a connection. Throws SystemError when nobody listens.
[[nodiscard]] FileDescriptor connect_control(const std::string& path);

/// Sends one message of any size. Throws SystemError when the other end is gone.
void send_message(int control, const nlohmann::json& message);

/// Blocks until a message has come. Nothing when the other end is gone. Throws SystemError, and
/// InternalError for what is no message.
[[nodiscard]] std::optional<nlohmann::json> receive_message(int control);

/// The same for whoever hands messages on without reading them.
void send_text(int control, std::string_view text);
[[nodiscard]] std::optional<std::string> receive_text(int control);
/// A message from its text. Throws InternalError for what is no message.
[[nodiscard]] nlohmann::json parse_message(std::string_view text);

}  // namespace gradwire::workers
