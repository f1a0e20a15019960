#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "harness/workers/control.h"
#include "tests/fuzz/fuzz.h"

/// Packets of the connection between the harness and a worker, with files in memory that come with
/// them.
namespace gradwire::workers {
namespace {

/// Sends bytes as one packet, with a file of these contents attached where there are any.
void send_packet(int control, std::span<const std::uint8_t> bytes, std::string_view file) {
  FileDescriptor memory;
  iovec part{.iov_base = const_cast<std::uint8_t*>(bytes.data()), .iov_len = bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> ancillary{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!file.empty()) {
    memory = FileDescriptor(checked(::memfd_create("fuzz", MFD_CLOEXEC), "memfd_create"));
    [[maybe_unused]] const auto written = ::write(memory.get(), file.data(), file.size());
    header.msg_control = ancillary.data();
    header.msg_controllen = ancillary.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&header);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = memory.get();
    std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
  }
  [[maybe_unused]] const auto sent = ::sendmsg(control, &header, MSG_NOSIGNAL);
}

}  // namespace
}  // namespace gradwire::workers

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::workers;
  fuzz::Choices choices(data, size);
  const bool elsewhere = choices.flag();
  ControlPair pair = make_control_pair();
  if (elsewhere) {
    const auto bytes = choices.take(1 + choices.byte() % 4);
    send_packet(pair.theirs.get(), bytes, choices.text());
  } else {
    send_packet(pair.theirs.get(), choices.rest(), "");
  }
  pair.theirs.reset();
  const auto message =
      fuzz::value_of<InternalError, SystemError>([&] { return receive_message(pair.ours.get()); });
  if (!message || !*message) return 0;
  const ControlPair again = make_control_pair();
  send_message(again.theirs.get(), **message);
  fuzz::require(receive_message(again.ours.get()) == *message, "a message is read as it is sent");
  return 0;
}
