#include "harness/run/progress.h"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gradwire::run {
namespace {

/// "47 s", "3 min 20 s", "2 h 5 min".
std::string coarse(std::chrono::seconds time) {
  const auto seconds = time.count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace

Progress::Progress(std::ostream& stream, const Clock& clock, Options options)
    : stream_(stream), clock_(clock), options_(options), began_(clock.now()) {}

Progress::~Progress() {
  clear();
}

std::string Progress::time_left(std::size_t done) const {
  if (done == 0 || done >= options_.total) return "";
  const Seconds elapsed = clock_.now() - began_;
  const Seconds left =
      elapsed * (static_cast<double>(options_.total - done) / static_cast<double>(done));
  return fmt::format(", {} left", coarse(std::chrono::ceil<std::chrono::seconds>(left)));
}

bool Progress::is_due(std::size_t done, std::string_view what) const {
  if (done >= options_.total || !written_) return true;
  // What comes next may take long: its name does not wait.
  if (options_.live && (!shown_ || what != what_)) return true;
  const Nanoseconds every = options_.live ? options_.redraw_every : options_.log_every;
  return clock_.now() - *written_ >= every;
}

void Progress::update(std::size_t done, std::string_view what) {
  if (!is_due(done, what)) return;
  written_ = clock_.now();
  what_ = what;
  const std::string total = fmt::to_string(options_.total / options_.parts);
  std::string line = fmt::format("[{:>{}}/{}] {}{}", done / options_.parts, total.size(), total,
                                 what, time_left(done));
  if (options_.live) {
    stream_ << "\r\x1b[K" << line.substr(0, options_.width - 1) << std::flush;
    shown_ = true;
    return;
  }
  stream_ << line << '\n' << std::flush;
}

void Progress::say(std::string_view line) {
  clear();
  stream_ << "gradwire: " << line << '\n' << std::flush;
}

void Progress::clear() {
  if (!shown_) return;
  stream_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

bool is_live_terminal(int descriptor) {
  const char* const term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace gradwire::run
