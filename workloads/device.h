#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradwire::workloads {

/// What computes. Peaks are of one processor, in float32, as its vendor states them.
struct Device {
  std::string name;         ///< as experiments name it: "k80"
  std::string description;  ///< which peak, of which part
  double flops = 0;         ///< peak, float32 operations per second; a multiply-add is two
  double bandwidth = 0;     ///< of its memory, bytes per second
};

/// The device of this name. Throws InputError, naming those there are, for an unknown one.
[[nodiscard]] const Device& find_device(std::string_view name);

/// All devices: k40c, k80 (one of its two processors), v100, h100.
[[nodiscard]] const std::vector<Device>& devices();

}  // namespace gradwire::workloads
