#include "workloads/device.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/suggest.h"

namespace gradwire::workloads {

// Vendors state peaks at different clocks. Which one stands here is part of the description,
// because the efficiency that a derivation assumes is a share of it.
const std::vector<Device>& devices() {
  static const std::vector<Device> all{
      {.name = "k40c",
       .description = "Tesla K40c, float32 at its base clock of 745 MHz (boost: 5.04 Tflop/s)",
       .flops = 4.29e12,
       .bandwidth = 288e9},
      {.name = "k80",
       .description = "one of the two GK210 of a Tesla K80, float32 at its boost clock of 875 MHz "
                      "(half of the card's 8.73 Tflop/s; base: 2.8 Tflop/s)",
       .flops = 4.37e12,
       .bandwidth = 240e9},
      {.name = "v100",
       .description = "Tesla V100 SXM2, float32 outside the tensor cores at its boost clock of "
                      "1530 MHz",
       .flops = 15.7e12,
       .bandwidth = 900e9},
      {.name = "h100",
       .description = "H100 SXM5, float32 outside the tensor cores at its boost clock of 1980 MHz",
       .flops = 66.9e12,
       .bandwidth = 3.35e12},
  };
  return all;
}

const Device& find_device(std::string_view name) {
  const auto device = std::ranges::find(devices(), name, &Device::name);
  if (device != devices().end()) return *device;
  std::vector<std::string> known;
  for (const Device& each : devices()) known.push_back(each.name);
  throw InputError(fmt::format("{}; there are: {}", text::unknown_name("device", name, known),
                               fmt::join(known, ", ")));
}

}  // namespace gradwire::workloads
