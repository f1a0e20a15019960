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

/// Inventory files: the real hosts of a wiring. Their form is results/schema/inventory.schema.json,
/// with the meaning of every key.
namespace gradwire::hosts {

/// How ssh reaches a host; what is absent is ssh's own default.
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
  std::string file;                  ///< as messages name it
  std::vector<InventoryHost> hosts;  ///< by rank; at least one
  std::vector<std::string> control;  ///< interfaces or subnets of MPI
  std::string program;               ///< empty: where this machine has it
  std::string agent;                 ///< empty: ssh
  std::vector<std::string> mpirun;   ///< more of mpirun's arguments
  std::string verification;          ///< file of verify.yml; empty: none
  std::string plan;                  ///< the wiring, as it calls itself; empty: ports are listed
};

/// Throws InputError with file, line and column.
[[nodiscard]] Inventory load_inventory(const std::filesystem::path& path);
/// The same from text that messages call `name`.
[[nodiscard]] Inventory load_inventory_text(std::string_view text, const std::string& name);

/// Throws InputError at `place`, where a wiring is named, when these are not its hosts or they have
/// not its ports. Without a plan their number alone can be checked.
void require_fit(const Inventory& inventory, const topologies::Topology& topology,
                 const SourcePlace& place);

/// An ssh_config in which every host goes by its name; the user's own comes after it.
[[nodiscard]] std::string ssh_config(const Inventory& inventory);

}  // namespace gradwire::hosts
