#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/file_descriptor.h"
#include "core/name_table.h"

namespace gradwire::workers {

/// A kind of message between the harness and a worker.
enum class Message : std::uint8_t {
  // To a worker.
  job,            ///< a job to be set up, with its number and the room for gradients
  iterate,        ///< an iteration of the job with a number
  finish,         ///< the number of a job that is over
  agree_on_time,  ///< clocks are to be compared
  examine,        ///< ports, transport and memory, about which it says what it finds
  count,          ///< ports, about which it says what they have carried
  gathered,       ///< all that the ranks brought to a meeting
  // From a worker: the answers, in the same order.
  ready,     ///< measurements and decisions of a training job, or null
  iterated,  ///< the times of the iteration
  finished,
  agreed,    ///< most that clocks may still be off
  examined,  ///< things that it found
  counted,   ///< bytes by port
  gather,    ///< something that it brings to a meeting
  // And unasked.
  transfers,  ///< some of an iteration, ahead of its times
  awaited,    ///< the ranks that do not come to a meeting of ranks that mpirun has started
  failed,     ///< the reason why it ends
  attached,   ///< its rank, when it was not the harness that started it
};

inline constexpr NameTable<Message, 18> kMessages({{"job", Message::job},
                                                   {"iterate", Message::iterate},
                                                   {"finish", Message::finish},
                                                   {"agree_on_time", Message::agree_on_time},
                                                   {"examine", Message::examine},
                                                   {"count", Message::count},
                                                   {"gathered", Message::gathered},
                                                   {"ready", Message::ready},
                                                   {"iterated", Message::iterated},
                                                   {"finished", Message::finished},
                                                   {"agreed", Message::agreed},
                                                   {"examined", Message::examined},
                                                   {"counted", Message::counted},
                                                   {"gather", Message::gather},
                                                   {"transfers", Message::transfers},
                                                   {"awaited", Message::awaited},
                                                   {"failed", Message::failed},
                                                   {"attached", Message::attached}});

/// Message of a kind, with a body. As text an object with one member: {"count": [...]}.
struct ControlMessage {
  Message kind = Message::failed;
  nlohmann::json body = nullptr;

  friend bool operator==(const ControlMessage&, const ControlMessage&) = default;
};

/// The text of a message.
[[nodiscard]] std::string to_text(const ControlMessage& message);
/// A message from its text. Throws InternalError for what is no message.
[[nodiscard]] ControlMessage parse_message(std::string_view text);

/// Both ends of a connection that carries messages: between the harness and a worker that it started.
/// Never carries gradients.
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
void send_message(int control, const ControlMessage& message);

/// Blocks until a message has come. Nothing when the other end is gone. Throws SystemError, and
/// InternalError for what is no message.
[[nodiscard]] std::optional<ControlMessage> receive_message(int control);

/// Sends a message's text, as send_message: for whoever hands messages on without reading them.
void send_text(int control, std::string_view text);
/// Blocks until a message has come, as receive_message, and returns its text.
[[nodiscard]] std::optional<std::string> receive_text(int control);

}  // namespace gradwire::workers
