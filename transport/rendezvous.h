#pragma once

#include <string>
#include <vector>

namespace gradwire::transport {

/// How ranks find each other before there is a fabric: over inherited sockets on the emulated
/// backing, over MPI on hosts, in memory in tests. Never carries gradients.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;

  /// Every rank contributes some bytes and gets everybody's, by rank. Blocks until the last rank
  /// has come. Throws FabricError when a rank is gone or the deadline of the implementation passes.
  [[nodiscard]] virtual std::vector<std::string> all_gather(const std::string& mine) = 0;

  /// Blocks until every rank has called it. Throws as all_gather() does.
  virtual void barrier() = 0;
};

}  // namespace gradwire::transport
