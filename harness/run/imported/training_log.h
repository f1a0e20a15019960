#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/record/rank_iteration.h"

/// Records that the ranks of a training program have written of their iterations
/// (results/schema/training-log.schema.json): rank-0.ndjson, rank-1.ndjson and so on in one folder.
namespace gradwire::run {

/// One iteration, by rank.
struct LoggedIteration {
  std::vector<record::RankIteration> ranks;  ///< each has a training share
  std::vector<double> losses;                ///< loss of each rank's samples
};

/// The logs of all ranks of a job. Ranks agree on all that is not an iteration's.
struct TrainingLog {
  std::filesystem::path folder;
  std::string wiring;
  std::string algorithm;
  std::string schedule;
  std::string computing;               ///< model, batch and program, for people
  std::vector<std::uint64_t> buckets;  ///< elements of each, the same in every iteration
  std::vector<LoggedIteration> iterations;
};

/// Reads the logs of a folder. Throws InputError with file and line for what does not follow the
/// schema, a newer version, times that go back, a rank that is missing, and ranks or iterations that
/// disagree on what they are of.
[[nodiscard]] TrainingLog read_training_log(const std::filesystem::path& folder);

}  // namespace gradwire::run
