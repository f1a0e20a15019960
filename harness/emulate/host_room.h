#pragma once

#include <string>

#include "core/id.h"
#include "testbed/emulation.h"
#include "testbed/scratch_folder.h"
#include "topologies/topology.h"

namespace gradwire::emulate {

/// Folder by which processes find hosts: "hosts" is what they see as /etc/hosts, and "h3" leads to
/// the network of that host. Removed with this object.
class HostRoom {
 public:
  /// Makes the folder. The emulation must outlive it. Must be called in the process that made the
  /// emulation. Throws SystemError, and InputError where TMPDIR has blanks or colons: Open MPI
  /// would cut it.
  HostRoom(const testbed::Emulation& emulation, const topologies::Topology& wiring);

  /// Writes "hosts". Throws SystemError.
  void write_names(const std::string& names) const;
  /// The path of "hosts".
  [[nodiscard]] std::string names_file() const;
  /// The path of a command that takes a host's name and a command line, as ssh does, and runs that
  /// in the host.
  [[nodiscard]] const std::string& remote_shell() const { return remote_shell_; }

 private:
  testbed::ScratchFolder folder_;
  std::string remote_shell_;
};

/// Moves this process into the host `name` of a HostRoom's folder. Throws InputError when no host
/// has that name, SystemError.
void enter_by_name(const std::string& folder, const std::string& name);

}  // namespace gradwire::emulate
