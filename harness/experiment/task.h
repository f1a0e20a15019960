#pragma once

#include <cstdint>
#include <memory>

#include "collectives/algorithms/algorithm.h"
#include "core/dtype.h"
#include "core/text/spec.h"
#include "topologies/topology.h"
#include "workloads/workload.h"

namespace gradwire::experiment {

/// A synchronization of a workload by an algorithm over a wiring: a value, made of the names in an
/// experiment when its file is read.
struct Task {
  std::shared_ptr<const topologies::Topology> wiring;  ///< tasks of one wiring share it
  algorithms::Algorithm algorithm;                     ///< on the wiring, for the workload
  workloads::Workload workload;                        ///< no elements where a trace decides
  Dtype type = Dtype::float32;                         ///< each element's
  std::uint64_t batch = 0;  ///< samples per host and iteration; 0 when a trace decides
  text::Spec schedule;      ///< known to exist; "none" without computing
};

}  // namespace gradwire::experiment
