#include "simulator/jobs.h"

#include "simulator/job_run.h"

namespace gradwire::simulator {

double JobOutcome::duration(std::size_t iteration, Seconds start) const {
  return ends.at(iteration) - (iteration == 0 ? start.count() : ends[iteration - 1]);
}

std::vector<JobOutcome> simulate(const topologies::Topology& topology,
                                 std::span<const Tenant> tenants, const PlansOf& plans_of,
                                 const NetworkModel& model, const JobsOptions& options) {
  return JobRun(topology, tenants, plans_of, model, options).run();
}

}  // namespace gradwire::simulator
