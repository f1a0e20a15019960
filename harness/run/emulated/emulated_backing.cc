#include "harness/run/emulated/emulated_backing.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "harness/run/emulated/emulated_wiring.h"
#include "harness/run/measured_limits.h"
#include "results/record/sealed_line.h"

namespace gradwire::run {
namespace {

/// With `dilation: auto`, links get at most this share of what the machine carries over all links
/// of the largest wiring at once. Little, because what a busy machine loses at every step of an
/// algorithm (waking 18 lanes on two cores takes some milliseconds) must be small against the step.
constexpr double kMachineShare = 0.1;
/// Fast enough not to limit the machine, slow enough for the shaper's counters.
constexpr BitRate kProbeRate{10e9};
constexpr Seconds kProbe(0.02);  // at the probe rate; longer at what the machine reaches
/// What all links carry together to find that out: many links carry less each.
constexpr double kMostProbeBytes = 512.0 * 1024 * 1024;

/// The largest rate not above `rate` whose first digit is 1, 2, 2.5, 4, 5 or 8: results of similar
/// machines get the same dilation.
double round_down(double rate) {
  const double decade = std::pow(10, std::floor(std::log10(rate)));
  double best = decade;
  for (const double digit : {1.0, 2.0, 2.5, 4.0, 5.0, 8.0}) {
    if (digit * decade <= rate) best = digit * decade;
  }
  return best;
}

Seconds probe_time(const topologies::Topology& topology) {
  const auto flows = static_cast<double>(testbed::calibration_flows(topology).size());
  return std::min(kProbe, Seconds(kMostProbeBytes / flows / kProbeRate.bytes_per_second()));
}

}  // namespace

void EmulatedBacking::measure() {
  const experiment::Experiment& experiment = context_.experiment;
  // What a resumed run measures must be comparable with what it has.
  const std::optional<double> given =
      context_.resumption.dilation() ? context_.resumption.dilation() : experiment.dilation;
  const double dilation = given ? *given : choose_dilation();
  if (experiment.startup * dilation >= Seconds(experiment.timeout)) {
    throw InputError(fmt::format(
        "link.startup takes {} with a dilation of {:g}, and nothing moves "
        "meanwhile: give a longer timeout than {}",
        format_duration(std::chrono::duration_cast<Nanoseconds>(experiment.startup * dilation)),
        dilation, format_duration(experiment.timeout)));
  }
  for (const PreparedPoint& point : context_.points) check_iteration(point, dilation);
  MeasuringLoop run(context_, dilation);
  const Wirings wirings = build_wirings(run, dilation);
  run.measure(wirings);
}

double EmulatedBacking::choose_dilation() {
  const experiment::Experiment& experiment = context_.experiment;
  if (!experiment.rate.is_limited()) return 1;
  const auto largest = std::ranges::max_element(
      context_.points, {}, [](const auto& point) { return point.point.wiring->links().size(); });
  const std::string& name = largest->configuration.wiring;
  context_.progress.update(0, "finding out what this machine carries on " + name);
  EmulatedWiring wiring(largest->point.wiring, shape_of(kProbeRate), experiment.transport);
  const auto session = wiring.start_session(context_.clock);
  const double carried = measure_together({.wiring = wiring.topology(),
                                           .session = *session,
                                           .shape = wiring.shape(),
                                           .timeout = experiment.timeout},
                                          probe_time(*wiring.topology()));
  const double payload = testbed::payload_fraction(experiment.mtu, wiring.shape().framing);
  const double rate = round_down(kMachineShare * carried * 8 / payload);
  return std::max(1.0, experiment.rate.bits_per_second / rate);
}

testbed::LinkShape EmulatedBacking::shape_of(BitRate rate) const {
  return testbed::shape_for(rate, context_.experiment.mtu,
                            names::framing_of(context_.experiment.transport.kind));
}

Wirings EmulatedBacking::build_wirings(MeasuringLoop& run, double dilation) {
  const experiment::Experiment& experiment = context_.experiment;
  Wirings wirings;
  nlohmann::json calibrations = nlohmann::json::object();
  const testbed::LinkShape shape = shape_of({experiment.rate.bits_per_second / dilation});
  for (const PreparedPoint& point : context_.points) {
    const std::string& name = point.configuration.wiring;
    if (wirings.contains(name)) continue;
    context_.progress.update(0, "calibrating " + name);
    const TimePoint began = context_.clock.now();
    auto wiring = std::make_unique<EmulatedWiring>(point.point.wiring, shape, experiment.transport);
    const TimePoint built = context_.clock.now();
    wiring->calibrate(context_.clock, experiment.timeout);
    calibrations[name] = to_json(wiring->calibration());
    calibrations[name]["built_in_ms"] = 1e3 * Seconds(built - began).count();
    calibrations[name]["calibrated_in_ms"] = 1e3 * Seconds(context_.clock.now() - built).count();
    wirings[name] = std::move(wiring);
    run.check_time();
  }
  calibration_ = {{"version", record::kStoreVersion},
                  {"dilation", dilation},
                  {"rate_bits_per_s", shape.rate.bits_per_second},
                  {"mtu", shape.mtu},
                  {"burst_bytes", shape.burst},
                  {"wirings", std::move(calibrations)}};
  context_.folder.write_calibration(calibration_);
  return wirings;
}

}  // namespace gradwire::run
