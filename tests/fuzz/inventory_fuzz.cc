#include "core/error.h"
#include "testbed/hosts/inventory.h"
#include "tests/fuzz/fuzz.h"

/// Inventories, which name the hosts of a run.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const auto inventory = fuzz::value_of<InputError>(
      [&] { return hosts::load_inventory_text(fuzz::text_of(data, size), "fuzz.yaml"); });
  if (!inventory) return 0;
  fuzz::require(!inventory->hosts.empty(), "an inventory has a host");
  for (const hosts::InventoryHost& host : inventory->hosts) {
    fuzz::require(host.ports.size() == inventory->hosts.front().ports.size() && !host.ports.empty(),
                  "all hosts have as many ports");
    // A line of ssh_config that a value could end would be a setting of the value's own.
    fuzz::require(host.name.find('\n') == std::string::npos &&
                      host.ssh.target.find('\n') == std::string::npos,
                  "names of hosts are words");
  }
  static_cast<void>(hosts::ssh_config(*inventory));
  return 0;
}
