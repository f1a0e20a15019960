#pragma once

#include <cstddef>
#include <functional>

#include "collectives/peers/staged.h"
#include "core/goal.h"
#include "core/pattern.h"
#include "transport/device/device.h"
#include "transport/device/pattern.h"

/// A library's collectives on gradients in the memory of a device.
namespace gradwire::peers::testing {

/// Runs a collective three times on fresh data of this rank, and counts the elements that are not the
/// goal's exact sums, on the device. Ranks wait for each other in `meet`.
inline std::size_t wrong_on_device(transport::device::Device& device, const StagedTask& task,
                                   std::size_t elements, const ConnectLibrary& connect,
                                   const std::function<void()>& meet) {
  const std::size_t self = task.group.self.index();
  const Goal goal = goal_of(task.what, task.group.ranks, elements);
  const transport::device::DeviceMemory memory = device.allocate(Dtype::float32, elements);
  const Extent whole{.count = elements};
  const auto staged = connect_staged(device, memory.elements, {&whole, 1}, task, connect);
  const auto stream = device.make_stream(0);
  Pattern pattern(goal, 0, Dtype::float32);
  std::size_t wrong = 0;
  for (std::size_t iteration = 0; iteration < 3; ++iteration) {
    pattern.turn_to(iteration);
    stream->clear(memory.elements);
    for (const Extent& e : goal.begins[self]) {
      fill(*stream, memory.elements.part(e), pattern, task.group.self, e.first);
    }
    stream->synchronize();
    meet();
    staged->run(0);
    staged->put_in_place(0);
    for (const Extent& e : goal.ends[self]) {
      wrong += count_wrong(*stream, memory.elements.part(e), pattern, e.first);
    }
    meet();
  }
  return wrong;
}

}  // namespace gradwire::peers::testing
