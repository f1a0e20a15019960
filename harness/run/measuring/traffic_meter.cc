#include "harness/run/measuring/traffic_meter.h"

#include <utility>

namespace gradwire::run {

void TrafficMeter::count_into(StandingWiring& wiring, WiringTraffic& sum) {
  const StandingWiring* last = wiring_;
  stop();  // leaves in before_ what it has read
  if (last != &wiring) before_ = wiring.read_traffic();
  wiring_ = &wiring;
  sum_ = &sum;
}

void TrafficMeter::stop() {
  if (wiring_ == nullptr) return;
  WiringTraffic now = wiring_->read_traffic();
  *sum_ += now - before_;
  before_ = std::move(now);
  wiring_ = nullptr;
  sum_ = nullptr;
}

}  // namespace gradwire::run
