#pragma once

#include <string>
#include <vector>

namespace gradwire::transport {

/// Exchange by which ranks find each other before there is a fabric: over inherited sockets on the
/// emulated backing, over MPI on hosts, in memory in tests. It never carries gradients.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;

  /// Gathers some bytes from every rank and returns them all, by rank. Blocks until the last rank
  /// has come. Throws FabricError when a rank is gone or the implementation's deadline passes.
  [[nodiscard]] virtual std::vector<std::string> all_gather(const std::string& mine) = 0;

  /// Blocks until every rank has called it. Throws as all_gather() does.
  virtual void barrier() = 0;
};

}  // namespace gradwire::transport
