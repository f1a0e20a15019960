#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/job_plans.h"
#include "harness/commands/link_options.h"
#include "schedule/jobs/jobs_file.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"

namespace gradwire::commands {

/// Request of the command line for jobs on one wiring.
struct JobsRequest {
  std::string file;
  std::string wiring;
  LinkOptions links;
  std::vector<std::string> algorithms;
};

/// Adds the list, the wiring, the links and the algorithms. `request` must outlive the parsing.
void add_jobs_options(CLI::App& command, JobsRequest& request);

/// Jobs on one wiring, ready to be run. It must not move, as its parts refer to each other.
class JobsInput {
 public:
  /// Reads the files that the request names. Throws InputError for a list or a job file that is
  /// none, and for jobs that do not fit the wiring.
  explicit JobsInput(const JobsRequest& request);
  JobsInput(const JobsInput&) = delete;
  JobsInput& operator=(const JobsInput&) = delete;

  [[nodiscard]] const topologies::Topology& topology() const { return *topology_; }
  [[nodiscard]] std::shared_ptr<const topologies::Topology> shared_topology() const {
    return topology_;
  }
  [[nodiscard]] const std::vector<jobs::ListedJob>& jobs() const { return jobs_; }
  /// The hosts of the jobs as the list places them, by job and rank.
  [[nodiscard]] const std::vector<std::vector<Rank>>& seats() const { return seats_; }
  [[nodiscard]] const std::vector<simulator::Tenant>& tenants() const { return tenants_; }
  [[nodiscard]] const simulator::PlansOf& plans_of() const { return plans_of_; }
  [[nodiscard]] const simulator::NetworkModel& network() const { return network_; }

 private:
  algorithms::JobAlgorithms algorithms_;
  simulator::NetworkModel network_;
  std::shared_ptr<const topologies::Topology> topology_;
  std::vector<jobs::ListedJob> jobs_;
  std::vector<std::vector<Rank>> seats_;
  std::vector<simulator::Tenant> tenants_;
  simulator::PlansOf plans_of_;
};

}  // namespace gradwire::commands
