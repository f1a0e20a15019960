#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/id.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

/// Variables that tell a command about its host and the others. docs/emulate.md lists them.
namespace gradwire::emulate {

/// Layout of an emulation: the wiring, and the hosts that run the command. The references must
/// outlive it.
struct Layout {
  const topologies::Topology& wiring;
  const topologies::AddressPlan& addresses;
  std::vector<Rank> running;  ///< ascending, at least one: the n-th of them is rank n of the job
  std::uint16_t port = 0;     ///< port at which the job meets
  std::string
      remote_shell;  ///< the command that runs another on the host that its first word names
};

/// The name of a host: "h3".
[[nodiscard]] std::string name_of(Rank host);

/// The variables of a process on a host, as "NAME=value". RANK is missing where the host is not in
/// `running`.
[[nodiscard]] std::vector<std::string> variables_of(const Layout& layout, Rank host);

/// The names and addresses of all hosts, in the form of /etc/hosts: "h3" is the address of the
/// host's first port, "h3-p1" that of its second.
[[nodiscard]] std::string host_names(const Layout& layout);

}  // namespace gradwire::emulate
