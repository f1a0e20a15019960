#include "harness/experiment/fabric.h"

#include "core/units.h"

namespace gradwire::experiment {
namespace {

constexpr std::uint64_t kUsualBufferPackets = 100;

}  // namespace

Fabric read_fabric(const text::YamlReader& experiment, const text::YamlReader& link,
                   std::size_t mtu) {
  Fabric fabric{.buffer = kUsualBufferPackets * mtu};
  if (const auto buffer = link.text("buffer")) {
    fabric.buffer = text::at(link.place("buffer"), [&] { return parse_bytes(*buffer); });
  }
  const auto kind = experiment.text("fabric");
  fabric.is_lossless = kind == "lossless";
  if (kind && !fabric.is_lossless) fabric.dropping_place = experiment.place("fabric");
  return fabric;
}

}  // namespace gradwire::experiment
