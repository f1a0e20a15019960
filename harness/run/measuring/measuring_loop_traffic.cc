#include "harness/run/measuring/measuring_loop.h"

/// MeasuringLoop: whether wirings carried what was planned.
namespace gradwire::run {

void MeasuringLoop::judge_traffic(std::span<const MeasuredPoint> all) {
  for (const auto& [name, wiring] : *wirings_) {
    WiringTraffic of_plans;
    std::vector<const PreparedPoint*> ours;
    for (const MeasuredPoint& measured : all) {
      const PreparedPoint& point = *measured.point;
      const std::size_t iterations = experiment_.warmup + experiment_.iterations - measured.done;
      if (point.configuration.wiring != name || iterations == 0) continue;
      const WiringTraffic& carried = measured.carried;
      std::vector<PlannedTraffic> planned;
      if (point.task.algorithm.has_plans()) {  // no Plan says what a library sends
        planned.resize(wiring->host_ports());
        wiring->add_planned(measured.plans(), point.configuration.type, iterations, planned);
        of_plans += carried;
        ours.push_back(&point);
      }
      mark(point, wiring->traffic_flags(carried, planned));
    }
    if (ours.empty()) continue;
    const std::vector<std::string> shared = wiring->shared_flags(of_plans);
    for (const PreparedPoint* point : ours) mark(*point, shared);
  }
}

void MeasuringLoop::mark(const PreparedPoint& point, std::span<const std::string> flags) {
  for (const std::string& flag : flags) folder_.mark(point.key, flag);
}

}  // namespace gradwire::run
