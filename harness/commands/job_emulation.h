#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/link_options.h"
#include "harness/run/jobs/emulated_jobs.h"
#include "harness/run/progress.h"
#include "results/record/backing.h"
#include "topologies/topology.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// How jobs are emulated, as the command line says it.
struct JobEmulation {
  std::string backing = "simulated";
  std::size_t runs = 5;
  std::string dilation = "auto";
  std::string timeout = "10s";
};

/// Adds --backing, --runs, --dilation and --timeout. `emulation` must outlive the parsing.
void add_job_emulation(CLI::App& command, JobEmulation& emulation);

/// What jobs run on: simulated, emulated, or both, simulated first. Throws InputError for anything else.
[[nodiscard]] std::vector<record::Backing> job_backings(const JobEmulation& emulation);

/// What jobs are emulated on. Throws InputError for links that cannot be emulated: with a delay.
[[nodiscard]] run::JobsGround ground_of(const JobEmulation& emulation, const LinkOptions& links,
                                        std::shared_ptr<const topologies::Topology> topology);

/// Runs `body` where wirings can be emulated: in namespaces of its own, for good. Call it once, from
/// the only thread. `body` is given what shows how far it is, and returns the exit code to end with;
/// what it throws is printed, and has its own.
[[nodiscard]] int with_emulation(const std::function<int(run::Progress&)>& body);

/// How often a job was emulated, how far its runs lie apart and from the simulation, and what was
/// verified: a sentence each.
[[nodiscard]] std::vector<std::string> emulation_notes(const run::MeasuredJobs& measured,
                                                       std::size_t tenant,
                                                       const simulator::JobOutcome& simulated,
                                                       double dilation);

}  // namespace gradwire::commands
