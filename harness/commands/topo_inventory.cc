#include "harness/commands/topo_inventory.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/number_options.h"
#include "harness/experiment/experiment.h"
#include "testbed/hosts/host_list.h"
#include "testbed/hosts/testbed_files.h"
#include "testbed/hosts/testbed_plan.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

struct InventoryRequest {
  std::string wiring;
  std::string hosts;
  std::string folder = "testbed";
  std::vector<std::string> control;
  hosts::TestbedSettings settings;
  bool force = false;
};

int make_inventory(const InventoryRequest& request) {
  const std::string& program = request.settings.program;
  if (!program.empty() && !program.starts_with('/')) {
    throw InputError(fmt::format("--program: '{}' is no absolute path", program));
  }
  const auto topology = hosts::require_cabling(topologies::make_topology(request.wiring));
  const hosts::TestbedPlan plan = hosts::plan_testbed(
      topology, hosts::load_host_list(request.hosts, *topology), request.control);
  const std::filesystem::path folder = request.folder;
  hosts::write_testbed(plan, {.path = folder, .replaces = request.force}, request.settings);
  fmt::print("{}: {} hosts, for ansible/\n", (folder / hosts::kAnsibleInventoryFile).string(),
             plan.hosts.size());
  fmt::print("{}: {} cables\n", (folder / hosts::kCablingFile).string(), topology->links().size());
  fmt::print("{}: for gradwire run --backing hosts --inventory\n",
             (folder / hosts::kRunInventoryFile).string());
  fmt::print("{}: a first experiment, with links of {}\n",
             (folder / hosts::kFirstExperimentFile).string(), request.settings.rate);
  return kExitOk;
}

/// The names of the kinds whose hosts get addresses, for help.
std::string wirings_with_addresses() {
  std::vector<std::string> names;
  for (const topologies::WiringKind& kind : topologies::wiring_kinds()) {
    if (kind.is_emulated) names.push_back(form_of(kind));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void add_topo_inventory_command(CLI::App& topo, int& exit_code) {
  CLI::App* const command = topo.add_subcommand(
      "inventory", "Write the files that set up, cable and run a wiring of real hosts");
  const auto request = std::make_shared<InventoryRequest>();
  command->add_option("wiring", request->wiring, "one of: " + wirings_with_addresses())
      ->required()
      ->type_name("WIRING");
  command
      ->add_option("--hosts", request->hosts,
                   "CSV, a line per host by rank: name,address,port0,port1,... and if need be "
                   "user,ssh_port,control_device; a port is a PCI or MAC address")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--out", request->folder, "Folder for the files")
      ->capture_default_str()
      ->type_name("FOLDER");
  command
      ->add_option(
          "--control", request->control,
          "Subnet or interface over which the hosts are reached (several: again, or with a "
          "comma); default: the subnet with all their addresses, a /24 or larger")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      ->add_option("--program", request->settings.program,
                   "Path of gradwire on the hosts; default: as on this machine")
      ->type_name("FILE");
  command
      ->add_option("--rate", request->settings.rate,
                   "Nominal rate of the links, for the first experiment")
      ->capture_default_str()
      ->check(readable(experiment::parse_link_rate));
  command->add_flag("--force", request->force, "Replace existing files");
  command->callback([request, &exit_code] { exit_code = make_inventory(*request); });
}

}  // namespace gradwire::commands
