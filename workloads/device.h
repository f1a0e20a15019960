#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradwire::workloads {

/// A processor that computes. Peaks are of one processor, in float32, as stated by its vendor.
struct Device {
  std::string name;         ///< name in experiments: "k80"
  std::string description;  ///< kind of the peak, and the part that has it
  double flops = 0;         ///< peak, float32 operations per second; a multiply-add is two
  double bandwidth = 0;     ///< memory bandwidth, bytes per second
};

/// The device of this name. Throws InputError, which lists the devices, for an unknown one.
[[nodiscard]] const Device& find_device(std::string_view name);

/// All devices: k40c, k80 (one of its two processors), v100, h100.
[[nodiscard]] const std::vector<Device>& devices();

}  // namespace gradwire::workloads
