#include "harness/run/emulated/emulated_backing.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "harness/run/emulated/dilation.h"
#include "harness/run/emulated/emulated_wiring.h"
#include "harness/run/emulated/socket_model.h"
#include "harness/run/measured_limits.h"
#include "results/record/sealed_line.h"

namespace gradwire::run {

void EmulatedBacking::measure() {
  const experiment::Experiment& experiment = context_.experiment;
  // What a resumed run measures must be comparable with what it has.
  const std::optional<double> given =
      context_.resumption.dilation() ? context_.resumption.dilation() : experiment.dilation;
  const double dilation = given ? *given : find_dilation();
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
  try {
    run.measure(wirings);
  } catch (const FabricError& failure) {
    if (run.in_use() == nullptr) throw;
    const auto explained = run.in_use()->explain(failure, context_.clock);
    if (explained) throw FabricError(*explained);
    throw;
  }
}

double EmulatedBacking::find_dilation() {
  const experiment::Experiment& experiment = context_.experiment;
  if (!experiment.rate.is_limited()) return 1;
  const auto largest = std::ranges::max_element(
      context_.points, {}, [](const auto& point) { return point.task.wiring->links().size(); });
  context_.progress.update(
      0, "finding out what this machine carries on " + largest->configuration.wiring);
  return choose_dilation(largest->task.wiring,
                         {.rate = experiment.rate,
                          .mtu = experiment.mtu,
                          .transport = experiment.transport,
                          .timeout = experiment.timeout},
                         context_.clock);
}

testbed::LinkShape EmulatedBacking::shape_of(BitRate rate) const {
  return testbed::shape_for(rate, context_.experiment.mtu,
                            execution::framing_of(context_.experiment.transport.kind));
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
    auto wiring = std::make_unique<EmulatedWiring>(point.task.wiring, shape, experiment.transport);
    const TimePoint built = context_.clock.now();
    wiring->calibrate(context_.clock, experiment.timeout);
    if (!experiment.interleave) wiring->dismiss_workers();
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
                  {"sockets", to_json(socket_model(shape))},
                  {"wirings", std::move(calibrations)}};
  context_.folder.write_calibration(calibration_);
  return wirings;
}

}  // namespace gradwire::run
