#pragma once

#include <cerrno>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed::testing {

/// Sends datagrams to nobody, through an interface of the caller's network and no other.
class ToNobody {
 public:
  explicit ToNobody(const std::string& interface) {
    const int yes = 1;
    checked(::setsockopt(socket_.get(), SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes), "broadcast");
    checked(::setsockopt(socket_.get(), SOL_SOCKET, SO_BINDTODEVICE, interface.c_str(),
                         static_cast<socklen_t>(interface.size() + 1)),
            "bind to " + interface);
  }

  void send(const std::vector<char>& datagram) const {
    sockaddr_in everybody{};
    everybody.sin_family = AF_INET;
    everybody.sin_port = htons(9);
    everybody.sin_addr.s_addr = INADDR_BROADCAST;
    const ssize_t sent = ::sendto(socket_.get(), datagram.data(), datagram.size(), 0,
                                  reinterpret_cast<const sockaddr*>(&everybody), sizeof everybody);
    if (sent == -1) throw SystemError("sendto", errno);
  }

 private:
  FileDescriptor socket_{checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket")};
};

}  // namespace gradwire::testbed::testing
