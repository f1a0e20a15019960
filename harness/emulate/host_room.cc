#include "harness/emulate/host_room.h"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/core.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/file.h"
#include "harness/emulate/host_variables.h"
#include "harness/workers/session/mpirun_command.h"
#include "testbed/host_view.h"

namespace gradwire::emulate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames = "/hosts";

}  // namespace

HostRoom::HostRoom(const testbed::Emulation& emulation, const topologies::Topology& wiring)
    : folder_("gw-emulate") {
  // As /proc names this process, whatever pid namespace that is of.
  const std::string self = fs::read_symlink("/proc/self");
  for (std::size_t i = 0; i < wiring.hosts(); ++i) {
    fs::create_symlink(fmt::format("/proc/{}/fd/{}", self, emulation.namespace_of(Rank(i))),
                       folder_.path() / name_of(Rank(i)));
  }
  const fs::path program = fs::canonical("/proc/self/exe");
  remote_shell_ =
      fmt::format("{} enter-host --named {}", workers::linked_word(program, folder_.path()),
                  workers::agent_word(folder_.path(), "TMPDIR"));
}

void HostRoom::write_names(const std::string& names) const {
  text::write_file_atomically(names_file(), names);
}

std::string HostRoom::names_file() const {
  return folder_.path().string() + kNames;
}

void enter_by_name(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  const FileDescriptor space(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (name.find('/') != std::string::npos || !space) {
    throw InputError(fmt::format("there is no host '{}' here", name));
  }
  const std::string names = folder + kNames;
  const testbed::HostView host{
      .namespace_fd = space.get(), .name = name.c_str(), .hosts_file = names.c_str()};
  if (!testbed::enter_host(host)) throw SystemError("enter host " + name, errno);
}

}  // namespace gradwire::emulate
