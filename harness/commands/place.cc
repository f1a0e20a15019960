#include "harness/commands/place.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/exit_code.h"
#include "harness/commands/jobs_input.h"
#include "harness/commands/jobs_text.h"
#include "harness/commands/number_options.h"
#include "simulator/placement_search.h"

namespace gradwire::commands {
namespace {

int run_place(const JobsRequest& request, const simulator::SearchLimits& limits) {
  const JobsInput input(request);
  const simulator::FoundPlacements found = simulator::search_placements(
      input.topology(), input.tenants(), input.plans_of(), input.network(), limits);
  fmt::print("# {} jobs on {}: {}{} placements simulated{}\n", input.jobs().size(),
             input.topology().name(), found.is_exact ? "" : "the best and the worst of ",
             found.simulated, found.is_exact ? ", which are all" : "");
  fmt::print("# no placement has a slowdown below {:.4f}\n", found.bound);
  fmt::print("{}\n{}", format_placement("best", input.jobs(), found.best),
             format_placement("worst", input.jobs(), found.worst));
  return kExitOk;
}

}  // namespace

void add_place_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("place", "Finds the best and the worst hosts for the jobs of a list");
  auto request = std::make_shared<JobsRequest>();
  auto limits = std::make_shared<simulator::SearchLimits>();
  add_jobs_options(*command, *request);
  command
      ->add_option("--exact", limits->most_exact,
                   "try all placements, if there are no more than this")
      ->capture_default_str()
      ->transform(whole_number(0, 1'000'000'000));
  command
      ->add_option("--simulations", limits->most_simulated, "most placements to simulate otherwise")
      ->capture_default_str()
      ->transform(whole_number(2, 1'000'000));
  command->callback([request, limits, &exit_code] { exit_code = run_place(*request, *limits); });
}

}  // namespace gradwire::commands
