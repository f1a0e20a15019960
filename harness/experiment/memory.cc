#include "harness/experiment/memory.h"

#include <fmt/core.h>

#include "workloads/workload.h"

namespace gradwire::experiment {
namespace {

void check_point(const Point& point) {
  if (point.task.workload.dense() != nullptr) {
    throw InputError(point.places.amount,
                     "memory: device: dense layers are multiplied by the "
                     "host's processors; use elements or a model");
  }
  if (point.task.workload.is_computed()) {
    throw InputError(point.places.amount,
                     "memory: device: hybrid(...) of a network is computed by the host's "
                     "processors; use hybrid(...) of a model");
  }
}

}  // namespace

void check_memory(const Experiment& experiment) {
  if (experiment.memory == Memory::host) return;
  const auto refuse = [&](const char* why) {
    throw InputError(experiment.memory_place, fmt::format("memory: device: {}", why));
  };
  if (runs_on(experiment, record::Backing::simulated)) {
    refuse("virtual time has no memory to copy to and from; use backing: hosts");
  }
  if (runs_on(experiment, record::Backing::emulated)) {
    refuse("emulated hosts have no GPU of their own; use backing: hosts");
  }
  if (experiment.compute) refuse("training jobs compute on the host; leave compute out");
  for (const Point& point : experiment.points) check_point(point);
}

}  // namespace gradwire::experiment
