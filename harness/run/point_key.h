#pragma once

#include <string>

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"

namespace gradwire::run {

/// 16 hex digits that are the same for the same point, in whatever experiment and run: a hash of
/// everything that decides what it takes (backing, wiring, algorithm, amount, batch, schedule,
/// links, transport, settings of RDMA that are not the defaults, the dilation asked for, computing
/// times, gamma and failures), and of nothing else. A simulation beside an emulation also goes by
/// what that found its links to be like, which is not known before it ran: `gradwire compare` tells
/// such runs apart. Iterations, seed and names do not count. Where an experiment has a point twice,
/// the key of the second is followed by "-2" (harness/run/prepare.cc).
[[nodiscard]] std::string point_key(const experiment::Experiment& experiment,
                                    const PreparedPoint& point);

}  // namespace gradwire::run
