#include "harness/workers/control.h"

#include <cerrno>
#include <span>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

constexpr std::size_t kLargestMessage = 160 * 1024;  // fits the socket buffer of every kernel

/// Blocks until there is a message; its size, 0 at the end.
std::size_t receive(int control, std::span<char> into, int flags) {
  ssize_t size = 0;
  do {
    size = ::recv(control, into.data(), into.size(), flags);
  } while (size < 0 && errno == EINTR);
  if (size < 0 && errno != ECONNRESET) throw SystemError("receive a control message", errno);
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw SystemError("a socket " + path, ENAMETOOLONG);
  path.copy(address.sun_path, path.size());
  return address;
}

FileDescriptor make_socket() {
  return FileDescriptor(checked(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket"));
}

}  // namespace

FileDescriptor listen_control(const std::string& path) {
  FileDescriptor listener = make_socket();
  const sockaddr_un address = address_of(path);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  checked(::bind(listener.get(), generic, sizeof address), "bind " + path);
  checked(::listen(listener.get(), SOMAXCONN), "listen " + path);
  return listener;
}

FileDescriptor connect_control(const std::string& path) {
  FileDescriptor control = make_socket();
  const sockaddr_un address = address_of(path);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  checked(::connect(control.get(), generic, sizeof address), "connect " + path);
  return control;
}

ControlPair make_control_pair() {
  int ends[2] = {-1, -1};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
  return {.ours = FileDescriptor(ends[0]), .theirs = FileDescriptor(ends[1])};
}

void send_text(int control, std::string_view text) {
  ensure(text.size() <= kLargestMessage, "a control message fits");
  while (::send(control, text.data(), text.size(), MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) throw SystemError("send a control message", errno);
  }
}

void send_message(int control, const nlohmann::json& message) {
  send_text(control, message.dump());
}

std::optional<std::string> receive_text(int control) {
  // A buffer for the largest message would be cleared for each of them, by worker threads while
  // their rank is being timed: 0.1 ms of a small synchronization's time among nine ranks.
  const std::size_t size = receive(control, {}, MSG_PEEK | MSG_TRUNC);
  std::string text(size, '\0');
  if (size == 0 || receive(control, text, 0) == 0) return std::nullopt;
  return text;
}

nlohmann::json parse_message(std::string_view text) try {
  return nlohmann::json::parse(text);
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("control message: ") + error.what());
}

std::optional<nlohmann::json> receive_message(int control) {
  const auto text = receive_text(control);
  if (!text) return std::nullopt;
  return parse_message(*text);
}

}  // namespace gradwire::workers
