#include <memory>
#include <string>

#include "core/error.h"
#include "core/text/csv_document.h"
#include "core/text/yaml_document.h"
#include "testbed/hosts/host_list.h"
#include "testbed/hosts/inventory.h"
#include "testbed/hosts/testbed_files.h"
#include "testbed/hosts/testbed_plan.h"
#include "tests/fuzz/fuzz.h"
#include "topologies/registry.h"

/// Host lists, up to the files that are made of one: those must be read again as they are.
namespace gradwire::hosts {
namespace {

void check_files(const TestbedPlan& plan) {
  const Inventory inventory = load_inventory_text(run_inventory(plan, ""), "gradwire.yaml");
  fuzz::require(inventory.hosts.size() == plan.hosts.size(), "an inventory has the plan's hosts");
  for (std::size_t rank = 0; rank < inventory.hosts.size(); ++rank) {
    const ListedHost& listed = plan.hosts[rank].listed;
    const InventoryHost& host = inventory.hosts[rank];
    fuzz::require(host.name == listed.name && host.ssh.target == listed.address &&
                      host.ports.size() == listed.ports.size(),
                  "an inventory has the hosts of the list");
  }
  const text::CsvDocument cabling = text::parse_csv(cabling_list(plan), "cabling.csv");
  fuzz::require(cabling.records.size() == plan.topology->links().size(),
                "the cabling has a line for each cable");
  static_cast<void>(text::parse_yaml(ansible_inventory(plan), "inventory.yaml"));
}

}  // namespace
}  // namespace gradwire::hosts

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::hosts;
  fuzz::Choices choices(data, size);
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology(choices.flag() ? "bcube(2,2)" : "single-switch(3)");
  const auto plan = fuzz::value_of<InputError>([&] {
    return plan_testbed(wiring, load_host_list_text(choices.text(), "fuzz.csv", *wiring), {});
  });
  if (plan) check_files(*plan);
  return 0;
}
