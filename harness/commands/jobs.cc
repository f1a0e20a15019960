#include "harness/commands/jobs.h"

#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/text/output_file.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/job_emulation.h"
#include "harness/commands/jobs_csv.h"
#include "harness/commands/jobs_input.h"
#include "harness/commands/jobs_page.h"
#include "harness/commands/jobs_text.h"
#include "harness/run/jobs/measured_company.h"
#include "results/report/page/page.h"
#include "simulator/company.h"

namespace gradwire::commands {
namespace {

constexpr std::size_t kWidestMatrix = 32;  // jobs whose pairs are run without being asked

struct SharedRequest {
  JobsRequest jobs;
  JobEmulation emulation;
  bool asks_for_pairs = false;
  std::string csv;
  std::string page;
};

RanJobs ran_on(record::Backing backing, const JobsInput& input, const simulator::Company& company) {
  return {.jobs = input.jobs(),
          .seats = input.seats(),
          .topology = input.topology(),
          .company = company,
          .backing = backing};
}

/// Prints the outcomes of the jobs on each backing, and writes CSV and page of all. `notes` are
/// about the measurements.
void show(const SharedRequest& request, const std::vector<RanJobs>& ran,
          const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print("# {}\n", note);
  std::string text;
  for (const RanJobs& backed : ran) {
    text += (text.empty() ? "" : "\n") + format_company(backed);
    if (!backed.company.slowdown.empty()) text += "\n" + format_slowdowns(backed);
  }
  fmt::print("{}", text);
  if (!request.csv.empty()) text::write_output_file(request.csv, format_jobs_csv(ran));
  if (!request.page.empty()) {
    text::write_output_file(request.page, report::report_page(jobs_page_data(ran, notes)));
  }
}

int emulate(const SharedRequest& request, const JobsInput& input,
            const simulator::Company& simulated, run::Progress& progress) {
  const SteadyClock clock;
  run::EmulatedJobs emulation(
      ground_of(request.emulation, request.jobs.links, input.shared_topology()), progress, clock);
  const run::MeasuredCompany measured =
      run::measure_company([&](const run::JobsToRun& jobs,
                               const std::string& what) { return emulation.measure(jobs, what); },
                           {.tenants = input.tenants(),
                            .algorithms = request.jobs.algorithms,
                            .simulated = simulated,
                            .runs = request.emulation.runs});
  progress.clear();
  const std::string note = fmt::format(
      "Emulated with a dilation of {:g}, {} runs, {} of them disturbed. Results verified: {}; "
      "elements wrong: {}; flags: {}.",
      emulation.dilation(), measured.runs, measured.disturbed, measured.verified, measured.wrong,
      measured.flags.empty() ? "none" : fmt::format("{}", fmt::join(measured.flags, ", ")));
  std::vector<RanJobs> ran;
  if (job_backings(request.emulation).size() > 1) {
    ran.push_back(ran_on(record::Backing::simulated, input, simulated));
  }
  ran.push_back(ran_on(record::Backing::emulated, input, measured.company));
  show(request, ran, {note});
  return measured.wrong > 0 ? kExitWrongData : kExitOk;
}

int run_jobs(const SharedRequest& request) {
  if (!request.csv.empty()) text::check_writable("--csv", request.csv);
  if (!request.page.empty()) text::check_writable("--page", request.page);
  const bool is_emulated = job_backings(request.emulation).back() == record::Backing::emulated;
  const JobsInput input(request.jobs);
  if (is_emulated) {  // which may be refused
    static_cast<void>(ground_of(request.emulation, request.jobs.links, input.shared_topology()));
  }
  const bool pairs = request.asks_for_pairs || input.jobs().size() <= kWidestMatrix;
  const simulator::Company company = simulator::keep_company(
      input.topology(), input.tenants(), input.plans_of(), input.network(), pairs);
  if (is_emulated) {
    return with_emulation(
        [&](run::Progress& progress) { return emulate(request, input, company, progress); });
  }
  show(request, {ran_on(record::Backing::simulated, input, company)}, {});
  return kExitOk;
}

}  // namespace

void add_jobs_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("jobs", "Runs several jobs on one wiring; prints who slows whom down");
  auto request = std::make_shared<SharedRequest>();
  add_jobs_options(*command, request->jobs);
  add_job_emulation(*command, request->emulation);
  command->add_flag(
      "--pairs", request->asks_for_pairs,
      fmt::format("run every pair of jobs, also when there are more than {}", kWidestMatrix));
  command->add_option("--csv", request->csv, "write all results as CSV, too")->type_name("FILE");
  command->add_option("--page", request->page, "write a page that draws who slows whom down")
      ->type_name("FILE");
  command->callback([request, &exit_code] { exit_code = run_jobs(*request); });
}

}  // namespace gradwire::commands
