#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "disk.h"
#include "log_of_writes.h"
#include "promises.h"

/// All moments at which a power cut may hit writer.cc.
namespace gradwire::record {

/// How writer.cc is run.
struct Writing {
  std::filesystem::path root;  ///< exists; no symbolic link on the way
  bool resumes = false;        ///< a run that is there
  std::string swallows = {};   ///< what is never synced, see write_log.cc
};

/// What was done to a disk.
struct History {
  Disk before;
  Promises promised;  ///< before
  std::vector<Logged> log;
};

/// Runs it. Throws InternalError when it fails, and when it changed something that was not logged.
[[nodiscard]] History write_history(const Writing& writing);

/// What is tried.
struct Trying {
  std::size_t states = 40;  ///< of each moment; fewer where there are no more
  std::uint64_t seed = 1;
};

/// What came of many power cuts.
struct Cuts {
  std::size_t moments = 0;          ///< after a line of the log each
  std::size_t states = 0;           ///< of the disk, over all moments
  std::vector<std::string> broken;  ///< promises, with moment and state; at most 20
};

/// Cuts the power after every line of the log.
[[nodiscard]] Cuts cut_everywhere(const History& history, const Trying& trying);

/// Writes a random state of a random moment into `place`, an empty folder. The run was
/// acknowledged before that moment.
void leave_some_state(const History& history, const std::filesystem::path& place,
                      std::uint64_t seed);

}  // namespace gradwire::record
