#include <vector>

#include "collectives/algorithms/job_plans.h"
#include "schedule/jobs/job_file.h"
#include "schedule/jobs/jobs_file.h"
#include "simulator/jobs.h"
#include "tests/fuzz/fuzz.h"
#include "topologies/registry.h"

namespace {

using namespace gradwire;

/// Small enough to be run many times a second.
bool is_small(const jobs::Job& job) {
  constexpr std::size_t kMostRanks = 8;
  constexpr std::size_t kMostNodesTried = 200;
  return job.ranks.size() <= kMostRanks && jobs::nodes_of(job) <= kMostNodesTried;
}

}  // namespace

/// Job files that users write down, and lists of them. A job that is read comes to its end when it is
/// run, twice over.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(fuzz::value_of<InputError>(
      [&] { return jobs::parse_jobs(fuzz::text_of(data, size), "fuzz.yaml"); }));
  const auto job = fuzz::value_of<InputError>(
      [&] { return jobs::parse_job(fuzz::text_of(data, size), "fuzz.yaml"); });
  if (!job || !is_small(*job)) return 0;
  static const auto topology = topologies::make_topology("single-switch(8)");
  std::vector<Rank> seats;
  for (std::size_t rank = 0; rank < job->ranks.size(); ++rank) seats.emplace_back(rank);
  const std::vector<simulator::Tenant> tenants{
      {.job = *job, .seats = std::move(seats), .iterations = 2}};
  const algorithms::JobAlgorithms algorithms;
  const simulator::PlansOf plans_of = [&](const jobs::Call& call, std::span<const Rank> hosts) {
    return algorithms.plans(*topology, call, hosts);
  };
  const auto outcomes = simulator::simulate(*topology, tenants, plans_of, {.rate = 1e9});
  fuzz::require(outcomes.front().ends[0] <= outcomes.front().ends[1],
                "iterations follow each other");
  return 0;
}
