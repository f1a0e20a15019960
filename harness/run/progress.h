#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace gradwire::run {

/// Progress of a run, with an estimate of the time left.
///
/// On a terminal, one line that is rewritten in place: when something else comes next, and else at
/// most every `redraw_every`. Elsewhere a line of its own at most every `log_every`. In both cases
/// also when all is done.
///
///     [ 12/36] ring on single-switch(9), iteration 4, 18 s left
class Progress {
 public:
  struct Options {
    std::size_t total = 0;   ///< steps in all
    std::size_t parts = 1;   ///< steps that are counted as one
    bool live = false;       ///< rewrite one line in place: is the stream a terminal?
    std::size_t width = 80;  ///< columns of the terminal; a live line is cut to fit
    Nanoseconds log_every = std::chrono::seconds(10);
    Nanoseconds redraw_every = std::chrono::milliseconds(100);
  };

  /// Stream and clock must outlive it. The time left is judged from now on.
  Progress(std::ostream& stream, const Clock& clock, Options options);
  /// Clears the live line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` steps are done, and `what` comes next. The time left assumes that the rest takes as
  /// long per step as what is done.
  void update(std::size_t done, std::string_view what);
  /// Writes a line that stays.
  void say(std::string_view line);
  /// Removes the live line, so that something else can be written; the next update brings it back.
  void clear();

 private:
  [[nodiscard]] bool is_due(std::size_t done, std::string_view what) const;
  [[nodiscard]] std::string time_left(std::size_t done) const;

  std::ostream& stream_;
  const Clock& clock_;
  Options options_;
  TimePoint began_;
  std::optional<TimePoint> written_;  ///< when the last line was
  std::string what_;                  ///< came next in the last line
  bool shown_ = false;                ///< a live line stands there
};

/// Whether a descriptor is a terminal that understands more than plain lines (TERM is not "dumb").
[[nodiscard]] bool is_live_terminal(int descriptor);
/// Columns of the terminal, 80 when unknown.
[[nodiscard]] std::size_t terminal_width(int descriptor);

}  // namespace gradwire::run
