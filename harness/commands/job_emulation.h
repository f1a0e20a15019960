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

/// Options of the command line for emulating jobs.
struct JobEmulation {
  std::string backing = "simulated";
  std::size_t runs = 5;
  std::string dilation = "auto";
  std::string timeout = "10s";
};

/// Adds --backing, --runs, --dilation and --timeout. `emulation` must outlive the parsing.
void add_job_emulation(CLI::App& command, JobEmulation& emulation);

/// The backings that jobs run on: simulated, emulated, or both, simulated first. Throws InputError
/// for anything else.
[[nodiscard]] std::vector<record::Backing> job_backings(const JobEmulation& emulation);

/// The ground on which jobs are emulated. Throws InputError for links that cannot be emulated: with
/// a delay.
[[nodiscard]] run::JobsGround ground_of(const JobEmulation& emulation, const LinkOptions& links,
                                        std::shared_ptr<const topologies::Topology> topology);

/// Runs `body` where wirings can be emulated: in namespaces that this process keeps. Must be called
/// once, from the only thread. `body` gets a progress display, and returns the exit code for the
/// program; an exception of it is printed, and has an exit code of its own.
[[nodiscard]] int with_emulation(const std::function<int(run::Progress&)>& body);

/// Notes on an emulated job, a sentence each: how often it was emulated, how far its runs lie apart
/// and from the simulation, and what was verified.
[[nodiscard]] std::vector<std::string> emulation_notes(const run::MeasuredJobs& measured,
                                                       std::size_t tenant,
                                                       const simulator::JobOutcome& simulated,
                                                       double dilation);

}  // namespace gradwire::commands
