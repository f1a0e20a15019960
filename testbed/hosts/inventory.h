#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "topologies/topology.h"
#include "transport/port_binding.h"

/// Inventory files, which list the real hosts of a wiring. results/schema/inventory.schema.json has
/// their form and the meaning of every key.
namespace gradwire::hosts {

/// Options by which ssh reaches a host; absent ones are ssh's own defaults.
struct SshAccess {
  std::string target;
  std::optional<std::string> user;
  std::optional<unsigned> port;
  std::vector<std::string> options;  ///< "StrictHostKeyChecking=no"
};

struct InventoryHost {
  std::string name;
  SshAccess ssh;
  std::vector<transport::PortBinding> ports;  ///< by Port
  SourcePlace place;
};

struct Inventory {
  std::string file;                  ///< path by which messages name it
  std::vector<InventoryHost> hosts;  ///< by rank; at least one
  std::vector<std::string> control;  ///< interfaces or subnets of MPI
  std::string program;               ///< path on the hosts; empty: as on this machine
  std::string agent;                 ///< empty: ssh
  std::vector<std::string> mpirun;   ///< more of mpirun's arguments
  std::string verification;          ///< file of verify.yml; empty: none
  std::string plan;                  ///< name of the wiring; empty: ports are listed
};

/// Reads an inventory. Throws InputError with file, line and column.
[[nodiscard]] Inventory load_inventory(const std::filesystem::path& path);
/// Reads an inventory from text, which messages call `name`.
[[nodiscard]] Inventory load_inventory_text(std::string_view text, const std::string& name);

/// Checks that the inventory's hosts and ports are those of the wiring. Throws InputError at
/// `place`, where the wiring is named. Without a plan, only their number can be checked.
void require_fit(const Inventory& inventory, const topologies::Topology& topology,
                 const SourcePlace& place);

/// An ssh_config in which every host has its name; it includes the user's own at the end.
[[nodiscard]] std::string ssh_config(const Inventory& inventory);

}  // namespace gradwire::hosts
