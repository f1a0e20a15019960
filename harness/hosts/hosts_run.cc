#include "harness/hosts/hosts_run.h"

#include <memory>
#include <utility>

#include "harness/hosts/hosts_wiring.h"
#include "harness/store/sealed_line.h"

namespace gradwire::harness {

void HostsRun::measure() {
  MeasuredRun run(context_, 1);
  const Wirings wirings = start_wirings(run);
  run.measure(wirings);
}

Wirings HostsRun::start_wirings(const MeasuredRun& run) {
  const Experiment& experiment = context_.experiment;
  Wirings wirings;
  nlohmann::json calibrations = nlohmann::json::object();
  nlohmann::json hosts = {{"version", kStoreVersion}, {"inventory", inventory_.file}};
  for (const PreparedPoint& point : context_.points) {
    const std::string& name = point.point.wiring;
    if (wirings.contains(name)) continue;
    context_.progress.update(0, "starting the hosts of " + name);
    const TimePoint began = context_.clock.now();
    auto wiring = std::make_unique<HostsWiring>(inventory_,
                                                HostsWiring::Options{
                                                    .name = name,
                                                    .rate = experiment.rate,
                                                    .mtu = experiment.mtu,
                                                    .transport = experiment.transport,
                                                    .mpirun = experiment.hosts->mpirun,
                                                },
                                                context_.clock);
    const Nanoseconds started_in = context_.clock.now() - began;
    hosts["wirings"][name] = wiring->require_agreement();
    context_.progress.update(0, "measuring the links of " + name);
    wiring->calibrate(experiment.timeout);
    nlohmann::json& calibration = calibrations[name] = to_json(wiring->calibration());
    calibration["built_in_ms"] = static_cast<double>(started_in.count()) / 1e6;
    if (const auto error = wiring->clock_error()) {
      calibration["clock_error_us"] = static_cast<double>(error->count()) / 1e3;
    }
    wirings[name] = std::move(wiring);
    run.check_time();
  }
  calibration_ = {{"version", kStoreVersion},
                  {"dilation", 1},
                  {"rate_bits_per_s", experiment.rate.bits_per_second},
                  {"mtu", experiment.mtu},
                  {"burst_bytes", 0},
                  {"wirings", std::move(calibrations)}};
  context_.folder.write_hosts(hosts);
  context_.folder.write_calibration(calibration_);
  return wirings;
}

}  // namespace gradwire::harness
