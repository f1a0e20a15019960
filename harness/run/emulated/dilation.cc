#include "harness/run/emulated/dilation.h"

#include <algorithm>
#include <cmath>

#include "harness/run/emulated/emulated_wiring.h"
#include "testbed/calibration.h"
#include "testbed/shape.h"

namespace gradwire::run {
namespace {

/// Most that links get with `dilation: auto`, as a share of what the machine carries over all links
/// of the largest wiring at once. Little, because what a busy machine loses at every step of an
/// algorithm (waking 18 lanes on two cores takes some milliseconds) must be small against the step.
constexpr double kMachineShare = 0.1;
/// Fast enough not to limit the machine, slow enough for the shaper's counters.
constexpr BitRate kProbeRate{10e9};
constexpr Seconds kProbe(0.02);  // at the probe rate; longer at what the machine reaches
/// Bytes that all links carry together, at most, to find that out: many links carry less each.
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

double choose_dilation(const std::shared_ptr<const topologies::Topology>& topology,
                       const WantedLinks& links, const Clock& clock) {
  if (!links.rate.is_limited()) return 1;
  const testbed::Framing framing = execution::framing_of(links.transport.kind);
  EmulatedWiring wiring(topology, testbed::shape_for(kProbeRate, links.mtu, framing),
                        links.transport);
  const double carried = measure_together({.wiring = topology,
                                           .session = wiring.session(clock),
                                           .shape = wiring.shape(),
                                           .timeout = links.timeout},
                                          probe_time(*topology));
  const double payload = testbed::payload_fraction(links.mtu, framing);
  const double rate = round_down(kMachineShare * carried * 8 / payload);
  return std::max(1.0, links.rate.bits_per_second / rate);
}

}  // namespace gradwire::run
