#include "transport/ucx/route.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::transport::ucx {

std::string source_address_to(const std::string& destination) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);  // connecting a datagram socket only looks up the route
  if (::inet_pton(AF_INET, destination.c_str(), &address.sin_addr) != 1) {
    throw InputError(fmt::format("'{}' is not an IPv4 address", destination));
  }
  const FileDescriptor fd(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
  checked(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
          fmt::format("route to {}", destination));
  socklen_t size = sizeof address;
  checked(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return text;
}

}  // namespace gradwire::transport::ucx
