#include "harness/run/hosts/hosts_backing.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "harness/run/machine_needs.h"
#include "harness/run/progress.h"
#include "harness/workers/preflight.h"
#include "results/record/sealed_line.h"

namespace gradwire::run {
namespace {

/// Says how the transport gets at the gradients, which is the same on all hosts.
void say_way(Progress& progress, const std::string& wiring, const nlohmann::json& found) {
  progress.say(fmt::format("{}: gradients in the memory of GPUs: {}", wiring,
                           found.at("hosts").at(0).at("gradients").get<std::string>()));
}

}  // namespace

void HostsBacking::measure() {
  MeasuringLoop run(context_, 1);
  const Wirings wirings = start_wirings(run);
  run.measure(wirings);
}

std::vector<std::string> HostsBacking::objections_to(const std::string& wiring,
                                                     const nlohmann::json& found) const {
  if (!verification_) return {};
  const auto ranks = found.at("hosts").get<std::vector<nlohmann::json>>();
  std::vector<std::string> all = objections(*verification_, inventory_, wiring);
  std::ranges::move(restarts(*verification_, ranks), std::back_inserter(all));
  if (all.empty() || context_.experiment.hosts->ignores_verification) return all;
  throw workers::Preflight(format_objections(*verification_, all));
}

nlohmann::json HostsBacking::calibrated(HostsWiring& wiring, Nanoseconds started_in) const {
  context_.progress.update(0, "measuring the links of " + wiring.topology()->name());
  wiring.calibrate(context_.experiment.timeout);
  nlohmann::json calibration = to_json(wiring.calibration());
  calibration["built_in_ms"] = static_cast<double>(started_in.count()) / 1e6;
  if (const auto error = wiring.clock_error()) {
    calibration["clock_error_us"] = static_cast<double>(error->count()) / 1e3;
  }
  return calibration;
}

std::unique_ptr<HostsWiring> HostsBacking::start_wiring(
    const std::shared_ptr<const topologies::Topology>& wiring) const {
  const experiment::Experiment& experiment = context_.experiment;
  context_.progress.update(0, "starting the hosts of " + wiring->name());
  return std::make_unique<HostsWiring>(inventory_,
                                       HostsWiring::Options{
                                           .wiring = wiring,
                                           .rate = experiment.rate,
                                           .mtu = experiment.mtu,
                                           .transport = experiment.transport,
                                           .memory = experiment.memory,
                                       },
                                       context_.clock);
}

Wirings HostsBacking::start_wirings(MeasuringLoop& run) {
  const experiment::Experiment& experiment = context_.experiment;
  Wirings wirings;
  nlohmann::json calibrations = nlohmann::json::object();
  nlohmann::json hosts = {{"version", record::kStoreVersion}, {"inventory", inventory_.file}};
  std::set<std::string> ignored;
  for (const PreparedPoint& point : context_.points) {
    const std::string& name = point.configuration.wiring;
    if (wirings.contains(name)) continue;
    const TimePoint began = context_.clock.now();
    std::unique_ptr<HostsWiring> wiring = start_wiring(point.task.wiring);
    const Nanoseconds started_in = context_.clock.now() - began;
    nlohmann::json& found = hosts["wirings"][name] = wiring->require_agreement();
    if (wirings.empty()) require_room_on_hosts(experiment, context_.points, wiring->rooms());
    if (experiment.memory == Memory::device) say_way(context_.progress, name, found);
    std::ranges::copy(objections_to(name, found), std::inserter(ignored, ignored.end()));
    calibrations[name] = calibrated(*wiring, started_in);
    wirings[name] = std::move(wiring);
    run.check_time();
  }
  calibration_ = {{"version", record::kStoreVersion},
                  {"dilation", 1},
                  {"rate_bits_per_s", experiment.rate.bits_per_second},
                  {"mtu", experiment.mtu},
                  {"burst_bytes", 0},
                  {"wirings", std::move(calibrations)}};
  hosts["verification"] = nullptr;
  if (verification_) {
    hosts["verification"] =
        summary_of(*verification_, std::vector<std::string>(ignored.begin(), ignored.end()));
  }
  context_.folder.write_hosts(hosts);
  context_.folder.write_calibration(calibration_);
  return wirings;
}

}  // namespace gradwire::run
