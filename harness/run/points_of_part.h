#pragma once

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "results/record/stored_run.h"
#include "results/record/sweep_part.h"

/// One part of a sweep's points is run, and other runs have the rest.
namespace gradwire::run {

/// Takes the points of all other parts out; a part may be left without any. `points` are all of the
/// experiment. Throws InputError when parts of it would not fit together: each would choose its own
/// dilation.
[[nodiscard]] record::PartRecord keep_part(const experiment::Experiment& experiment,
                                           const record::SweepPart& part, PreparedPoints& points);

/// Keeps a part that is gone on with, as keep_part; does nothing for a run that is none. Throws
/// InputError when the sweep is no longer that of which the run is one: a trace may have changed.
void keep_part_of(const record::StoredRun& run, const experiment::Experiment& experiment,
                  PreparedPoints& points);

}  // namespace gradwire::run
