#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/id.h"

namespace gradwire::workers {

/// Splits the process. Returns nothing in the child, which is killed when the parent dies. In the
/// parent waits for the child's end and returns its exit code; when it was killed or failed, the
/// parent says so first on standard error, with keeper_line, and then stays until it is killed:
/// mpirun would end all other ranks as soon as one is gone, before they can say what they noticed.
/// When its own parent, the launcher's daemon, is gone, it ends within a second or so.
/// Requires a single-threaded caller. Throws SystemError, InputError without a launcher.
[[nodiscard]] std::optional<int> split_off_keeper();

/// Line of its own that says how a rank ended: "gradwire: rank 3 was killed by signal 9 (Killed)".
[[nodiscard]] std::string keeper_line(Rank rank, const std::string& ending);

struct KeptEnding {
  Rank rank;
  std::string ending;
  bool host_lost = false;  ///< with all that runs on it
};
/// Ending that a keeper's line tells; nothing for any other line.
[[nodiscard]] std::optional<KeptEnding> parse_keeper_line(std::string_view line);

}  // namespace gradwire::workers
