#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/id.h"
#include "core/units.h"
#include "schedule/jobs/job.h"

namespace gradwire::workers {

/// A job, and where and when it runs on a wiring.
struct SeatedJob {
  std::shared_ptr<const jobs::Job> job;  ///< a job that jobs::check() finds nothing wrong with
  std::vector<Rank> seats;               ///< by rank of the job: the host that runs it
  Seconds start{};                       ///< start of its first iteration, undilated
  std::size_t iterations = 1;            ///< iterations that it runs, one right after the other
  std::size_t counted = 1;               ///< number of the first of these, whose ends are told
};

/// Jobs that run at once on the hosts of one wiring. No host runs two ranks; some may run none.
struct JobGraphs {
  std::vector<SeatedJob> jobs;
  std::vector<std::string>
      algorithms;       ///< algorithms of collectives, as algorithms::JobAlgorithms takes them
  double dilation = 1;  ///< computing, lags and starts take so many times as long

  /// The job and the rank in it that a host runs; nothing for one that runs none.
  struct Seat {
    std::size_t job = 0;
    Rank rank;
  };
  [[nodiscard]] std::optional<Seat> seat_of(Rank host) const;
};

/// Names of programs and nodes stay at home.
[[nodiscard]] nlohmann::json to_json(const JobGraphs& graphs);
/// Throws nlohmann::json::exception and InternalError for what to_json did not make.
[[nodiscard]] JobGraphs job_graphs_from_json(const nlohmann::json& json);

}  // namespace gradwire::workers
