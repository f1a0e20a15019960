#include "harness/commands/job.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "collectives/algorithms/job_plans.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/text/output_file.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/job_csv.h"
#include "harness/commands/job_emulation.h"
#include "harness/commands/job_page.h"
#include "harness/commands/job_text.h"
#include "harness/commands/job_trace.h"
#include "harness/commands/link_options.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/run/jobs/emulated_jobs.h"
#include "results/report/page/page.h"
#include "schedule/jobs/job_file.h"
#include "simulator/jobs.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

struct JobRequest {
  std::string file;
  std::string wiring;
  LinkOptions links;
  JobEmulation emulation;
  std::vector<std::string> algorithms;
  std::size_t iterations = 1;
  std::size_t nodes = 40;
  std::string csv;
  std::string trace;
  std::string page;
};

/// The seats of a job: the first hosts, by rank.
std::vector<Rank> seats_of(const jobs::Job& job, const topologies::Topology& topology) {
  if (job.ranks.size() > topology.hosts()) {
    throw InputError(fmt::format("a job of {} ranks does not fit {}, which has {} hosts",
                                 job.ranks.size(), topology.name(), topology.hosts()));
  }
  std::vector<Rank> seats;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) seats.emplace_back(rank);
  return seats;
}

/// Job to run, with its simulation.
struct SimulatedJob {
  const JobRequest& request;
  const algorithms::JobAlgorithms& algorithms;
  std::shared_ptr<const topologies::Topology> topology;
  const simulator::Tenant& tenant;
  simulator::JobOutcome outcome;
};

/// Prints the outcomes of the job on these backings, and writes CSV and page of all, and the trace
/// of the last of them.
void show(const SimulatedJob& job, std::vector<BackedOutcome> outcomes) {
  const RanJob ran{.job = job.tenant.job,
                   .topology = *job.topology,
                   .algorithms = job.algorithms,
                   .messages = job.outcome.messages,
                   .outcomes = std::move(outcomes)};
  const std::size_t most = job.request.nodes;
  fmt::print("{}{}\n{}\n{}\n{}{}", format_job(ran), format_iterations(ran), format_nodes(ran, most),
             format_streams(ran), format_groups(ran, most), format_path(ran, most));
  if (!job.request.csv.empty()) text::write_output_file(job.request.csv, format_job_csv(ran));
  if (!job.request.trace.empty()) {
    text::write_output_file(job.request.trace, job_trace(ran.job, ran.outcomes.back().outcome));
  }
  if (!job.request.page.empty()) {
    text::write_output_file(job.request.page, report::report_page(job_page_data(ran)));
  }
}

int emulate(const SimulatedJob& job, bool shows_simulation, run::Progress& progress) {
  const JobRequest& request = job.request;
  const SteadyClock clock;
  run::EmulatedJobs emulation(ground_of(request.emulation, request.links, job.topology), progress,
                              clock);
  Seconds longest{};
  for (std::size_t i = 0; i < request.iterations; ++i) {
    longest = std::max(longest, Seconds(job.outcome.duration(i, Seconds(0))));
  }
  const run::MeasuredJobs measured =
      emulation.measure({.tenants = {&job.tenant, 1},
                         .algorithms = request.algorithms,
                         .iterations = {request.iterations},
                         .runs = request.emulation.runs,
                         .expected = Seconds(job.outcome.ends.back()),
                         .longest = longest},
                        job.tenant.job.name);
  progress.clear();
  std::vector<BackedOutcome> outcomes;
  if (shows_simulation) {
    outcomes.push_back({.backing = record::Backing::simulated, .outcome = job.outcome});
  }
  outcomes.push_back({.backing = record::Backing::emulated,
                      .outcome = run::middle_run(measured, 0),
                      .dilation = emulation.dilation(),
                      .notes = emulation_notes(measured, 0, job.outcome, emulation.dilation())});
  show(job, std::move(outcomes));
  return measured.wrong[0] > 0 ? kExitWrongData : kExitOk;
}

int run_job(const JobRequest& request) {
  if (!request.csv.empty()) text::check_writable("--csv", request.csv);
  if (!request.trace.empty()) text::check_writable("--trace", request.trace);
  if (!request.page.empty()) text::check_writable("--page", request.page);
  const algorithms::JobAlgorithms algorithms(request.algorithms);
  const std::vector<record::Backing> backings = job_backings(request.emulation);
  const simulator::NetworkModel model = network_of(request.links);
  const std::shared_ptr<const topologies::Topology> topology =
      topologies::make_topology(request.wiring);
  const jobs::Job job = jobs::load_job(request.file);
  const std::vector<simulator::Tenant> tenants{
      {.job = job, .seats = seats_of(job, *topology), .iterations = request.iterations}};
  const simulator::PlansOf plans_of = [&](const jobs::Call& call, std::span<const Rank> hosts) {
    return algorithms.plans(*topology, call, hosts);
  };
  auto outcomes = simulator::simulate(*topology, tenants, plans_of, model);
  const SimulatedJob simulated{.request = request,
                               .algorithms = algorithms,
                               .topology = topology,
                               .tenant = tenants.front(),
                               .outcome = std::move(outcomes.front())};
  if (backings.back() != record::Backing::emulated) {
    show(simulated, {{.backing = record::Backing::simulated, .outcome = simulated.outcome}});
    return kExitOk;
  }
  static_cast<void>(ground_of(request.emulation, request.links, topology));  // may be refused
  return with_emulation(
      [&](run::Progress& progress) { return emulate(simulated, backings.size() > 1, progress); });
}

}  // namespace

void add_job_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "job", "Runs a job file; prints how long its parts take, and the critical path");
  auto request = std::make_shared<JobRequest>();
  command->add_option("file", request->file, "job file (docs/jobs.md)")
      ->required()
      ->type_name("FILE");
  command->add_option("wiring", request->wiring, "wiring that the job runs on, such as fat-tree(4)")
      ->required()
      ->type_name("WIRING");
  const auto with_default = [&](const char* name, auto& value, const char* help) {
    return command->add_option(name, value, help)->capture_default_str();
  };
  add_link_options(*command, request->links);
  add_job_emulation(*command, request->emulation);
  with_default("--iterations", request->iterations, "how often the job runs its programs")
      ->transform(whole_number(1, 100'000));
  with_default("--nodes", request->nodes, "how many nodes, groups, and steps of the path are shown")
      ->transform(whole_number(0, 1'000'000));
  command
      ->add_option("--algorithm", request->algorithms,
                   "algorithm of a collective, such as all-to-all(direct) or bml; may be repeated")
      ->type_name("ALGORITHM");
  command->add_option("--csv", request->csv, "write the table of groups as CSV, too")
      ->type_name("FILE");
  command
      ->add_option("--trace", request->trace,
                   "write the last iteration as a Chrome trace, for Perfetto")
      ->type_name("FILE");
  command
      ->add_option("--page", request->page,
                   "write a page that draws the streams and the critical path")
      ->type_name("FILE");
  command->footer(names_footer({"WIRING", "ALGORITHM"}));
  command->callback([request, &exit_code] { exit_code = run_job(*request); });
}

}  // namespace gradwire::commands
