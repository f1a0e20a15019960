#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "transport/bootstrap.h"
#include "transport/device/device.h"
#include "transport/device/staged.h"
#include "transport/endpoint.h"

namespace gradwire::transport::device {

/// Connects ranks over another transport, each with a gradient of its own on a device; what is sent
/// lies there, and not in the memory that ranks are given.
template <class Over>
struct Staged {
  Staged(std::size_t ranks, Device& on) : over(ranks), device(on), gradients(ranks) {}

  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    DeviceMemory& gradient = gradients[rank.self.index()];
    gradient = device.allocate(rank.gradient.type(), rank.gradient.size());
    const auto connect_over = [&](const Plan& plan, Elements pinned) {
      return over.connect({.plan = plan,
                           .self = rank.self,
                           .gradient = pinned,
                           .rendezvous = rank.rendezvous,
                           .cancellation = rank.cancellation,
                           .clock = rank.clock});
    };
    return connect_staged(rank.plan, {device, gradient.elements, rank.clock}, connect_over,
                          options);
  }

  Over over;
  Device& device;
  std::vector<DeviceMemory> gradients;  ///< by rank
  StagingOptions options{.piece_bytes = 1000, .slots = 3};
};

}  // namespace gradwire::transport::device
