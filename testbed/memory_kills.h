#pragma once

#include <filesystem>
#include <string>

#include "testbed/process.h"

namespace gradwire::testbed {

/// Tells a process that the kernel killed because memory ran out from one that somebody killed:
/// both end by SIGKILL.
class MemoryKills {
 public:
  /// Counts, before the process starts, how often the kernel has done so. Reads what the cgroup of
  /// the caller counts (version 2 or 1), or else what the machine does, below `root`.
  explicit MemoryKills(std::filesystem::path root = "/");

  /// How a process that was started since has ended: to_string(ending), and behind it, when it
  /// ended by SIGKILL and the kernel has killed for want of memory meanwhile, ": the kernel ran out
  /// of memory: limit 4 GiB".
  [[nodiscard]] std::string explain(const Ending& ending) const;

 private:
  std::filesystem::path root_;
  double before_ = 0;
};

}  // namespace gradwire::testbed
