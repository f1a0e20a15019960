#include "harness/workers/control.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

constexpr std::size_t kLargestPacket = 160 * 1024;  // fits the socket buffer of every kernel
/// A larger message is a file in memory, whose descriptor travels in its place: so that whoever has
/// a message has all of it, and never waits for the rest of one.
constexpr std::string_view kElsewhere = "@";

/// One packet, with room for the descriptor that it may carry.
class Packet {
 public:
  explicit Packet(std::span<char> bytes)
      : bytes_{.iov_base = bytes.data(), .iov_len = bytes.size()} {
    header_.msg_iov = &bytes_;
    header_.msg_iovlen = 1;
    header_.msg_control = ancillary_.data();
    header_.msg_controllen = ancillary_.size();
  }
  Packet(const Packet&) = delete;
  Packet& operator=(const Packet&) = delete;

  void attach(int file) {
    cmsghdr* const head = CMSG_FIRSTHDR(&header_);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(head), &file, sizeof file);
  }
  /// The descriptor that came with it, if one did.
  [[nodiscard]] FileDescriptor attached() {
    const cmsghdr* const head = CMSG_FIRSTHDR(&header_);
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return {};
    int file = -1;
    std::memcpy(&file, CMSG_DATA(head), sizeof file);
    return FileDescriptor(file);
  }
  [[nodiscard]] msghdr* header() { return &header_; }

 private:
  iovec bytes_;
  msghdr header_{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> ancillary_{};
};

/// Calls until no signal interrupts.
template <class Call>
ssize_t uninterrupted(Call call) {
  ssize_t size = 0;
  do {
    size = call();
  } while (size < 0 && errno == EINTR);
  return size;
}

/// The size of what a call receives, 0 at the end. A peer that ended without having read all of
/// ours is told as a reset, once, ahead of its own last words.
template <class Call>
std::size_t received(Call call) {
  ssize_t size = 0;
  do {
    size = uninterrupted(call);
  } while (size < 0 && errno == ECONNRESET);
  if (size < 0) throw SystemError("receive a control message", errno);
  return static_cast<std::size_t>(size);
}

/// Blocks until there is a packet; its size, 0 at the end.
std::size_t next_size(int control) {
  return received([&] { return ::recv(control, nullptr, 0, MSG_PEEK | MSG_TRUNC); });
}

FileDescriptor file_of(std::string_view text) {
  FileDescriptor file(checked(::memfd_create("gradwire-message", MFD_CLOEXEC), "memfd_create"));
  while (!text.empty()) {
    const ssize_t size =
        uninterrupted([&] { return ::write(file.get(), text.data(), text.size()); });
    if (size < 0) throw SystemError("write a control message", errno);
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return file;
}

std::string text_of(const FileDescriptor& file) {
  struct stat status {};
  checked(::fstat(file.get(), &status), "fstat of a control message");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t size = uninterrupted([&] {
      return ::pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    });
    if (size <= 0) throw SystemError("read a control message", size < 0 ? errno : EIO);
    done += static_cast<std::size_t>(size);
  }
  return text;
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
  const char* const operation = "send a control message";
  if (text.size() <= kLargestPacket) {
    const ssize_t size =
        uninterrupted([&] { return ::send(control, text.data(), text.size(), MSG_NOSIGNAL); });
    if (size < 0) throw SystemError(operation, errno);
    return;
  }
  const FileDescriptor file = file_of(text);
  std::string mark(kElsewhere);
  Packet packet(mark);
  packet.attach(file.get());
  if (uninterrupted([&] { return ::sendmsg(control, packet.header(), MSG_NOSIGNAL); }) < 0) {
    throw SystemError(operation, errno);
  }
}

void send_message(int control, const ControlMessage& message) {
  send_text(control, to_text(message));
}

std::optional<std::string> receive_text(int control) {
  // A buffer for the largest message would be cleared for each of them, by worker threads while
  // their rank is being timed: 0.1 ms of a small synchronization's time among nine ranks.
  std::string text(next_size(control), '\0');
  if (text.empty()) return std::nullopt;
  Packet packet(text);
  if (received([&] { return ::recvmsg(control, packet.header(), MSG_CMSG_CLOEXEC); }) == 0) {
    return std::nullopt;
  }
  const FileDescriptor file = packet.attached();
  return file ? text_of(file) : text;
}

std::string to_text(const ControlMessage& message) {
  return nlohmann::json{{std::string(kMessages.name_of(message.kind)), message.body}}.dump();
}

ControlMessage parse_message(std::string_view text) try {
  nlohmann::json parsed = nlohmann::json::parse(text);
  const bool has_one = parsed.is_object() && parsed.size() == 1;
  const auto kind = has_one ? kMessages.find(parsed.begin().key()) : std::nullopt;
  if (!kind) throw InternalError(fmt::format("no control message: {}", text.substr(0, 80)));
  return {.kind = *kind, .body = std::move(parsed.begin().value())};
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("control message: ") + error.what());
}

std::optional<ControlMessage> receive_message(int control) {
  const auto text = receive_text(control);
  if (!text) return std::nullopt;
  return parse_message(*text);
}

}  // namespace gradwire::workers
