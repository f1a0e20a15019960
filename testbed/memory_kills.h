#pragma once

#include <filesystem>
#include <string>

#include "testbed/process.h"

namespace gradwire::testbed {

/// Detector of processes that the kernel killed because memory ran out: they end by SIGKILL, as
/// those do that somebody killed.
class MemoryKills {
 public:
  /// Counts the kernel's kills before the process starts. Reads the counter of the caller's cgroup
  /// (version 2 or 1), or else the machine's, below `root`.
  explicit MemoryKills(std::filesystem::path root = "/");

  /// Explains how a process that was started since has ended: to_string(ending); when it ended by
  /// SIGKILL and the kernel has killed for want of memory meanwhile, followed by ": the kernel ran
  /// out of memory: limit 4 GiB".
  [[nodiscard]] std::string explain(const Ending& ending) const;

 private:
  std::filesystem::path root_;
  double before_ = 0;
};

}  // namespace gradwire::testbed
