#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/emulation.h"
#include "testbed/net_namespace.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/registry.h"

/// What shapers drop.
namespace gradwire::testbed {
namespace {

/// Sends datagrams to nobody through a host's port 0, at once.
void flood(const Emulation& emulation, Rank from, int datagrams) {
  const InNamespace inside(emulation.namespace_of(from));
  const FileDescriptor socket(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
  const int yes = 1;
  checked(::setsockopt(socket.get(), SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes), "broadcast");
  const std::string port = Emulation::interface_of(Port(0));
  checked(::setsockopt(socket.get(), SOL_SOCKET, SO_BINDTODEVICE, port.c_str(),
                       static_cast<socklen_t>(port.size() + 1)),
          "bind to " + port);
  sockaddr_in everybody{};
  everybody.sin_family = AF_INET;
  everybody.sin_port = htons(9);
  everybody.sin_addr.s_addr = INADDR_BROADCAST;
  const std::vector<char> datagram(1000);
  for (int i = 0; i < datagrams; ++i) {
    const auto sent = ::sendto(socket.get(), datagram.data(), datagram.size(), 0,
                               reinterpret_cast<const sockaddr*>(&everybody), sizeof everybody);
    if (sent == -1) throw SystemError("sendto", errno);
  }
}

// A megabyte at once, where a bucket of 64 KiB and a queue of 5 KB take the first of it.
int check_drops() {
  const auto topology = topologies::make_topology("single-switch(3)");
  LinkShape shape = shape_for({20e6}, 1500);
  shape.queue = 5000;
  Emulation emulation(*topology, topologies::plan_addresses(*topology), shape);
  flood(emulation, Rank(1), 1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // what was not dropped has passed
  std::uint64_t at_ports = 0;
  for (std::size_t i = 0; i < topology->hosts(); ++i) {
    at_ports += emulation.dropped_at_ports(Rank(i)).at(0);
  }
  const std::uint64_t dropped = emulation.dropped_packets();
  std::fprintf(stderr, "dropped %lu, at ports %lu\n", dropped, at_ports);
  if (emulation.dropped_at_ports(Rank(1)).at(0) < 700) return 1;
  return dropped == at_ports ? 0 : 2;
}

TEST(Emulation, CountsWhatAllShapersDropAsTheSumOfThem) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_drops), 0);
}

}  // namespace
}  // namespace gradwire::testbed
