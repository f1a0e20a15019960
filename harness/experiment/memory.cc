#include "harness/experiment/memory.h"

#include <fmt/core.h>

#include "workloads/dense.h"
#include "workloads/hybrid.h"

namespace gradwire::experiment {
namespace {

void check_point(const Point& point) {
  if (workloads::is_dense(point.workload)) {
    throw InputError(point.amount_place,
                     "memory: device: dense layers are multiplied by the "
                     "host's processors; use elements or a model");
  }
  if (workloads::computes_hybrid(point.workload)) {
    throw InputError(point.amount_place,
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
