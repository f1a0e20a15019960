#pragma once

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sched.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::transport::testing {

/// Moves the calling thread, and those it starts, into the network namespace of its rank's RDMA
/// port: the environment variable GRADWIRE_RDMA_NAMESPACES names them in the order of
/// GRADWIRE_RDMA_PORTS, as `ip netns` does. Without it, all ports are in the namespace that we are
/// in.
inline void enter_rdma_namespace(std::size_t rank) {
  const char* const variable = std::getenv("GRADWIRE_RDMA_NAMESPACES");
  std::istringstream words(variable == nullptr ? "" : variable);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  if (names.empty()) return;
  const std::string path = "/run/netns/" + names[rank % names.size()];
  const FileDescriptor space(checked(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path));
  checked(::setns(space.get(), CLONE_NEWNET), "enter " + path);
}

}  // namespace gradwire::transport::testing
