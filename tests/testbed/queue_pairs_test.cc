#include <array>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "tests/testbed/in_sandbox.h"
#include "tests/testbed/skip_without_rxe.h"

/// In which order RoCE packets leave a shaped port. The kernel that has Soft-RoCE has the queues,
/// too.
namespace gradwire::testbed {
namespace {

constexpr std::uint16_t kRocePort = 4791;
constexpr char kWrite = 10;  // opcodes of reliable connections
constexpr char kAcknowledge = 17;

/// A UDP socket of a namespace that sends RoCE v2 packets as one queue pair does, or takes them.
class RoceSocket {
 public:
  RoceSocket(const NetNamespace& space, const char* address, std::uint16_t port) {
    const InNamespace inside(space.fd());
    socket_ = FileDescriptor(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
    const sockaddr_in own = to(address, port);
    checked(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own), "bind");
  }

  void send(const char* address, char opcode, char sender) const {
    std::array<char, 1000> packet{opcode, sender};
    const std::size_t bytes = opcode == kAcknowledge ? 20 : packet.size();
    const sockaddr_in target = to(address, kRocePort);
    const auto sent = ::sendto(socket_.get(), packet.data(), bytes, 0,
                               reinterpret_cast<const sockaddr*>(&target), sizeof target);
    if (sent < 0) throw SystemError("sendto", errno);
  }

  /// Sender of the next packet, or 'A' for an acknowledgement; 0 when none comes for 2 s.
  [[nodiscard]] char receive() const {
    pollfd waiting{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    std::array<char, 1000> packet{};
    if (::poll(&waiting, 1, 2000) != 1) return 0;
    if (::recv(socket_.get(), packet.data(), packet.size(), 0) < 0) return 0;
    return packet[0] == kAcknowledge ? 'A' : packet[1];
  }

 private:
  static sockaddr_in to(const char* address, std::uint16_t port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_port = ::htons(port);
    ::inet_pton(AF_INET, address, &result.sin_addr);
    return result;
  }

  FileDescriptor socket_;
};

/// One queue pair sends 30 packets, then another one 10, then the first an acknowledgement, into a
/// link of 8 ms a packet. One letter a packet, in the order of arrival.
std::string arrivals() {
  const NetNamespace here = NetNamespace::create();
  const NetNamespace there = NetNamespace::create();
  const auto open = [](const NetNamespace& space) {
    const InNamespace inside(space.fd());
    return Netlink();
  };
  Netlink near = open(here);
  Netlink far = open(there);
  near.create_veth({here.fd(), "a"}, {there.fd(), "b"}, 4200);
  near.add_address("a", {.address = topologies::ipv4(10, 0, 0, 1), .prefix_length = 24});
  far.add_address("b", {.address = topologies::ipv4(10, 0, 0, 2), .prefix_length = 24});
  near.shape("a", {.rate = BitRate{1e6}, .mtu = 4200, .burst = 5000, .framing = Framing::roce});
  near.schedule_queue_pairs("a");
  near.set_up("a", true);
  far.set_up("b", true);

  const RoceSocket receiver(there, "10.0.0.2", kRocePort);
  const RoceSocket first(here, "10.0.0.1", 50'001);
  const RoceSocket second(here, "10.0.0.1", 50'002);
  first.send("10.0.0.2", kWrite, '-');
  if (receiver.receive() != '-') return "nothing arrives";  // and the link address is known now
  for (int i = 0; i < 30; ++i) first.send("10.0.0.2", kWrite, '1');
  for (int i = 0; i < 10; ++i) second.send("10.0.0.2", kWrite, '2');
  first.send("10.0.0.2", kAcknowledge, '1');
  std::string order;
  while (order.size() < 41) {
    const char sender = receiver.receive();
    if (sender == 0) return order + " and no more";
    order += sender;
  }
  return order;
}

/// Whether acknowledgements pass and queue pairs take turns.
bool in_turn(const std::string& order) {
  // What fits into the burst has left before the others come: five packets, and some more on a
  // machine that is slow to send.
  return order.find('A') < 20 && order.rfind('2') < 38 && order.find('2') < 20;
}

// One in 65,536 queues takes two queue pairs for one; not one after the other.
TEST(QueuePairs, TakeTurnsAndAcknowledgementsPass) {
  SKIP_WITHOUT_RXE();
  EXPECT_EQ(testing::in_sandbox([] {
              for (int tries = 0; tries < 2; ++tries) {
                const std::string order = arrivals();
                if (in_turn(order)) return 0;
                std::fprintf(stderr, "%s\n", order.c_str());
              }
              return 1;
            }),
            0);
}

}  // namespace
}  // namespace gradwire::testbed
