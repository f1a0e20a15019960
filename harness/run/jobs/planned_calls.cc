#include "harness/run/jobs/planned_calls.h"

#include <utility>

#include "schedule/jobs/channels.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::run {

void for_each_call(const topologies::Topology& topology, const simulator::Tenant& tenant,
                   const algorithms::JobAlgorithms& algorithms,
                   const std::function<void(const PlannedCall&)>& visit) {
  const jobs::Job& job = tenant.job;
  const jobs::Channels channels = jobs::channels_of(job, jobs::graphs_of(job));
  for (std::size_t number = 0; number < channels.all.size(); ++number) {
    const jobs::Channel& channel = channels.all[number];
    std::vector<Rank> hosts;
    for (const Rank rank : job.groups[channel.group].ranks) {
      hosts.push_back(tenant.seats[rank.index()]);
    }
    for (std::size_t size = 0; size < channel.sizes.size(); ++size) {
      jobs::Call call = channel.call;
      call.elements = channel.sizes[size];
      std::vector<Plan> plans = algorithms.plans(topology, call, hosts);
      PlannedCall planned{
          .channel = number,
          .type = call.dtype,
          .times = channel.counts[size],
          .hosts = hosts,
          .goal = for_group(algorithms.goal(topology, call, hosts), hosts, topology.hosts()),
          .plans = std::vector<Plan>(topology.hosts())};
      for (std::size_t place = 0; place < hosts.size(); ++place) {
        planned.plans[hosts[place].index()] = std::move(plans[place]);
      }
      visit(planned);
    }
  }
}

}  // namespace gradwire::run
