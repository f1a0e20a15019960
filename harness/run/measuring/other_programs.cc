#include "harness/run/measuring/other_programs.h"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "core/text/text_check.h"

namespace gradwire::run {
namespace {

constexpr Nanoseconds kBetweenLooks = std::chrono::milliseconds(500);
constexpr int kRest = 50;  // times what a look takes
/// Counts of less time say too little: they are in hundredths of a second.
constexpr Nanoseconds kShortest = std::chrono::milliseconds(100);
/// Least share of the time since the last look: who ran less is nobody to name.
constexpr double kLeastShare = 0.2;

}  // namespace

std::optional<std::string> OtherPrograms::look(bool disturbed) {
  const TimePoint began = clock_.now();
  if (looked_) {
    const Nanoseconds pause = disturbed ? kShortest : kBetweenLooks;
    if (began - *looked_ < std::max(pause, kRest * took_)) return std::nullopt;
  }
  std::vector<testbed::Program> now = testbed::machine_programs();
  std::optional<std::string> said;
  if (disturbed && looked_) said = name(now, began - *looked_);
  looked_ = began;
  before_ = std::move(now);
  took_ = clock_.now() - began;
  return said;
}

std::optional<std::string> OtherPrograms::name(const std::vector<testbed::Program>& now,
                                               Seconds elapsed) {
  const std::optional<testbed::Program> most = testbed::busiest(before_, now, testbed::is_ours);
  if (!most || most->ran < kLeastShare * elapsed) return std::nullopt;
  if (!named_.insert(most->name).second) return std::nullopt;
  return fmt::format(
      "other programs disturb this run, most of all {} (process {}): it ran {:.2f} of {:.2f} s",
      text::plain_line(most->name), most->process, most->ran.count(), elapsed.count());
}

}  // namespace gradwire::run
