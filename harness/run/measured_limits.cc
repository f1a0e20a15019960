#include "harness/run/measured_limits.h"

#include <fmt/core.h>

#include "core/error.h"
#include "harness/run/machine_needs.h"
#include "testbed/machine_room.h"

namespace gradwire::run {

void check_iteration(const PreparedPoint& point, double dilation) {
  Seconds least = point.bound.value_or(Seconds(0));
  if (point.training) least = std::max(least, point.training->pass.end);
  const Seconds real = least * dilation;
  if (real <= Seconds(kLongestIteration)) return;
  constexpr Seconds kDay = std::chrono::hours(24);
  throw InputError(point.places.amount,
                   fmt::format("an iteration of {} takes {:.3g} days at a dilation of {:g}; {} at "
                               "most",
                               title_of(point), real / kDay, dilation,
                               kLongestIteration / std::chrono::hours(24)));
}

void check_calibration(const experiment::Experiment& experiment, const PreparedPoint& point) {
  if (!experiment.rate.is_limited()) return;
  const BitRate rate{experiment.rate.bits_per_second / experiment.dilation.value()};
  const record::Configuration& c = point.configuration;
  // Every port sends and receives for that long, from and to memory.
  const auto ports = static_cast<double>(c.ranks * c.ports_per_host);
  const double bytes = 2 * ports * rate.bytes_per_second() * CalibrationTimes{}.together.count();
  if (bytes <= kRoomShare * testbed::machine_room().memory_bytes) return;
  throw InputError(experiment.link_place,
                   fmt::format("links of {} take {} to calibrate on {}, more than this machine "
                               "can give; raise the dilation",
                               to_string(rate), format_bytes(bytes), c.wiring));
}

}  // namespace gradwire::run
