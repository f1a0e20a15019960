#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/programs.h"

namespace gradwire::run {

/// Finds out which program it was that disturbed iterations on this machine. Looks at all processes
/// between iterations, at most twice a second, and for at most 2 % of the time where they are many.
class OtherPrograms {
 public:
  /// The clock must outlive it.
  explicit OtherPrograms(const Clock& clock) : clock_(clock) {}

  /// Looks at all programs; to be called after every iteration. After one that others `disturbed`,
  /// returns what to say of the one that ran the most since the last look, if that can be known and
  /// was not said before of one of its name:
  ///
  ///     other programs disturb this run, most of all burn (process 4711): it ran 0.48 of 0.50 s
  ///
  /// Not of one that ran less than a fifth of the time. Sees nothing outside of a sandbox.
  [[nodiscard]] std::optional<std::string> look(bool disturbed);

 private:
  [[nodiscard]] std::optional<std::string> name(const std::vector<testbed::Program>& now,
                                                Seconds elapsed);

  const Clock& clock_;
  std::optional<TimePoint> looked_;
  Nanoseconds took_{};                    ///< the last look
  std::vector<testbed::Program> before_;  ///< programs as of the last look
  std::set<std::string> named_;           ///< names that were said
};

}  // namespace gradwire::run
