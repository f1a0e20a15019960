#include "harness/commands/jobs_input.h"

#include <span>

#include <CLI/CLI.hpp>

#include "harness/commands/names_help.h"
#include "topologies/registry.h"

namespace gradwire::commands {

void add_jobs_options(CLI::App& command, JobsRequest& request) {
  command.add_option("file", request.file, "list of job files (docs/jobs.md)")
      ->required()
      ->type_name("FILE");
  command.add_option("wiring", request.wiring, "wiring that the jobs share, such as fat-tree(4)")
      ->required()
      ->type_name("WIRING");
  add_link_options(command, request.links);
  command
      .add_option("--algorithm", request.algorithms,
                  "of a collective, such as all-to-all(direct); several times for several")
      ->type_name("ALGORITHM");
  command.footer(names_footer({"WIRING", "ALGORITHM"}));
}

JobsInput::JobsInput(const JobsRequest& request)
    : algorithms_(request.algorithms),
      network_(network_of(request.links)),
      topology_(topologies::make_topology(request.wiring)),
      jobs_(jobs::load_jobs(request.file)),
      seats_(jobs::place(topology_->hosts(), jobs_)),
      plans_of_([this](const jobs::Call& call, std::span<const Rank> hosts) {
        return algorithms_.plans(*topology_, call, hosts);
      }) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    tenants_.push_back({.job = *jobs_[i].job,
                        .seats = seats_[i],
                        .start = jobs_[i].start,
                        .iterations = jobs_[i].iterations});
  }
}

}  // namespace gradwire::commands
