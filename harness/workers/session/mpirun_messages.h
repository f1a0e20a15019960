#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/workers/mpi/keeper.h"

namespace gradwire::workers {

/// Reads what mpirun and the ranks' keepers print on standard error, by line: who ended, and how.
class MpirunMessages {
 public:
  /// `hosts` by rank: mpirun names a lost daemon by its host.
  explicit MpirunMessages(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {}

  /// Takes some of it in; of a line the first 4 KiB. Returns the endings that it tells.
  [[nodiscard]] std::vector<KeptEnding> add(std::string_view text);

  /// The last lines that say something, on one line of plain text, for messages; empty if there are
  /// none.
  [[nodiscard]] std::string summary() const;

 private:
  [[nodiscard]] std::optional<KeptEnding> take(std::string line);
  /// Ending that mpirun's own line tells, alone or with the lines before.
  [[nodiscard]] std::optional<KeptEnding> ending_in(std::string_view line);

  std::vector<std::string> hosts_;
  std::string unfinished_;
  std::deque<std::string> last_;
  std::optional<Rank> failed_;  ///< rank whose exit code is still to come
};

}  // namespace gradwire::workers
