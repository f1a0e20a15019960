#include "harness/commands/job.h"

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/error.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/job_text.h"
#include "harness/commands/job_trace.h"
#include "harness/commands/link_options.h"
#include "harness/commands/names_help.h"
#include "harness/names/job_plans.h"
#include "jobs/job_file.h"
#include "simulator/jobs.h"
#include "text/output_file.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

struct JobRequest {
  std::string file;
  std::string wiring;
  LinkOptions links;
  std::vector<std::string> algorithms;
  std::size_t iterations = 1;
  std::size_t nodes = 40;
  std::string trace;
};

/// The first hosts, by rank.
std::vector<Rank> seats_of(const jobs::Job& job, const topologies::Topology& topology) {
  if (job.ranks.size() > topology.hosts()) {
    throw InputError(fmt::format("a job of {} ranks does not fit {}, which has {} hosts",
                                 job.ranks.size(), topology.name(), topology.hosts()));
  }
  std::vector<Rank> seats;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) seats.emplace_back(rank);
  return seats;
}

int run_job(const JobRequest& request) {
  if (!request.trace.empty()) text::check_writable("--trace", request.trace);
  const names::JobAlgorithms algorithms(request.algorithms);
  const simulator::NetworkModel model = network_of(request.links);
  const auto topology = topologies::make_topology(request.wiring);
  const jobs::Job job = jobs::load_job(request.file);
  const std::vector<simulator::Tenant> tenants{
      {.job = job, .seats = seats_of(job, *topology), .iterations = request.iterations}};
  const simulator::PlansOf plans_of = [&](const jobs::Call& call, std::span<const Rank> hosts) {
    return algorithms.plans(*topology, call, hosts);
  };
  const auto outcomes = simulator::simulate(*topology, tenants, plans_of, model);
  const RanJob ran{
      .job = job, .topology = *topology, .algorithms = algorithms, .outcome = outcomes.front()};
  fmt::print("{}{}\n{}\n{}\n{}", format_job(ran), format_iterations(ran),
             format_nodes(ran, request.nodes), format_streams(ran),
             format_path(ran, request.nodes));
  if (!request.trace.empty()) {
    text::write_output_file(request.trace, job_trace(job, outcomes.front()));
  }
  return kExitOk;
}

}  // namespace

void add_job_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("job", "Simulates a job file: what takes how long, and the critical path");
  auto request = std::make_shared<JobRequest>();
  command->add_option("file", request->file, "a job file, docs/jobs.md")
      ->required()
      ->type_name("FILE");
  command->add_option("wiring", request->wiring, "over what, such as fat-tree(4)")
      ->required()
      ->type_name("WIRING");
  const auto with_default = [&](const char* name, auto& value, const char* help) {
    return command->add_option(name, value, help)->capture_default_str();
  };
  add_link_options(*command, request->links);
  with_default("--iterations", request->iterations, "how often the job runs its programs")
      ->check(CLI::Range(1, 100'000, "1 to 100000"));
  with_default("--nodes", request->nodes, "how many nodes, and steps of the path, are shown");
  command
      ->add_option("--algorithm", request->algorithms,
                   "of a collective, such as all-to-all(direct) or bml; several times for several")
      ->type_name("ALGORITHM");
  command
      ->add_option("--trace", request->trace,
                   "write the last iteration as a Chrome trace, for Perfetto")
      ->type_name("FILE");
  command->footer(names_footer({"WIRING", "ALGORITHM"}));
  command->callback([request, &exit_code] { exit_code = run_job(*request); });
}

}  // namespace gradwire::commands
