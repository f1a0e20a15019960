#pragma once

#include <string>

#include "results/record/row.h"

namespace gradwire::record {

/// The name of a point in every report: "bml on bcube(3,2), lenet5, emulated"; for a training job
/// "ring on single-switch(8), resnet50, batch 64, mg-wfbp, emulated"; without a workload "ps on
/// fat-tree(4), 1000000 elements, simulated".
[[nodiscard]] std::string point_name(const Configuration& configuration);

}  // namespace gradwire::record
