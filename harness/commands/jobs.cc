#include "harness/commands/jobs.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/exit_code.h"
#include "harness/commands/jobs_input.h"
#include "harness/commands/jobs_text.h"
#include "simulator/company.h"

namespace gradwire::commands {
namespace {

constexpr std::size_t kWidestMatrix = 32;  // jobs whose pairs are run without being asked

int run_jobs(const JobsRequest& request, bool asks_for_pairs) {
  const JobsInput input(request);
  const bool pairs = asks_for_pairs || input.jobs().size() <= kWidestMatrix;
  const simulator::Company company = simulator::keep_company(
      input.topology(), input.tenants(), input.plans_of(), input.network(), pairs);
  const RanJobs ran{.jobs = input.jobs(),
                    .seats = input.seats(),
                    .topology = input.topology(),
                    .company = company};
  fmt::print("{}", format_company(ran));
  if (pairs) fmt::print("\n{}", format_slowdowns(ran));
  return kExitOk;
}

}  // namespace

void add_jobs_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("jobs", "Simulates several jobs on one wiring: who slows whom down");
  auto request = std::make_shared<JobsRequest>();
  auto pairs = std::make_shared<bool>(false);
  add_jobs_options(*command, *request);
  command->add_flag(
      "--pairs", *pairs,
      fmt::format("run every two jobs by themselves, also of more than {}", kWidestMatrix));
  command->callback([request, pairs, &exit_code] { exit_code = run_jobs(*request, *pairs); });
}

}  // namespace gradwire::commands
