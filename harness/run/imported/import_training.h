#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/experiment/experiment.h"
#include "harness/run/imported/training_log.h"
#include "harness/run/prepare.h"
#include "results/record/run_folder.h"

/// Puts what a training program measured into a run folder, as if this program had measured it.
namespace gradwire::run {

/// Points of `prepared` that were trained, one for each log, in their order. The key of each is
/// followed by "-computed": its computing was no sleep. Throws InputError for a log of which the
/// experiment has no point, for two logs of one, and for a log of another number of ranks.
[[nodiscard]] std::vector<PreparedPoint> points_of_logs(std::vector<PreparedPoint> prepared,
                                                        std::span<const TrainingLog> logs);

/// Appends a log's point and samples. Buckets' costs are the medians of what the log says of each
/// size, and the prediction is made of them and of the experiment's profile. Of sums, those were verified of
/// which the log says so.
/// Requires that the point trains and that its wiring is emulated. Throws InputError when the buckets
/// do not have the profile's tensors in backward order, and SystemError as the folder does.
void import_training(const experiment::Experiment& experiment, const PreparedPoint& point,
                     const TrainingLog& log, record::RunFolder& folder);

}  // namespace gradwire::run
