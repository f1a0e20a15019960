#include "harness/workers/session/mpirun_command.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::workers {
namespace {

constexpr const char* kCuts = " \t:";

void set(std::vector<std::string>& command, const std::string& name, const std::string& value) {
  command.insert(command.end(), {"--mca", name, value});
}

}  // namespace

std::string agent_word(const std::filesystem::path& path, const char* variable) {
  std::string word = path;
  if (word.find_first_of(kCuts) == std::string::npos) return word;
  throw InputError(
      fmt::format("{}: Open MPI cuts {} at its spaces and colons; choose a folder "
                  "without them",
                  variable, text::shown(word)));
}

std::string linked_word(const std::filesystem::path& program, const std::filesystem::path& folder) {
  if (program.string().find_first_of(kCuts) == std::string::npos) return program;
  const std::filesystem::path link = folder / "agent";
  const std::string word = agent_word(link, "TMPDIR");
  std::filesystem::create_symlink(program, link);
  return word;
}

std::vector<std::string> mpirun_command(const MpirunOptions& options) {
  const auto& own = options.own_interfaces.empty() ? options.interfaces : options.own_interfaces;
  std::vector<std::string> command{options.launcher,
                                   "-H",
                                   fmt::format("{}", fmt::join(options.hosts, ",")),
                                   "-n",
                                   fmt::to_string(options.hosts.size()),
                                   "--map-by",
                                   "ppr:1:node",
                                   "--bind-to",  // lanes are threads, and namespaces share cores
                                   "none",
                                   "--oversubscribe",
                                   "--leave-session-attached"};  // a daemon's end is noticed
  set(command, "pml", "ob1");
  set(command, "btl", "tcp,self");
  set(command, "mpi_yield_when_idle", "1");
  set(command, "orte_keep_fqdn_hostnames", "1");
  set(command, "plm_rsh_no_tree_spawn", "1");
  set(command, "plm_rsh_num_concurrent", fmt::to_string(options.hosts.size() + 1));
  if (!options.agent.empty()) set(command, "plm_rsh_agent", options.agent);
  if (!options.interfaces.empty()) {
    set(command, "btl_tcp_if_include", fmt::format("{}", fmt::join(options.interfaces, ",")));
  }
  if (!own.empty()) set(command, "oob_tcp_if_include", fmt::format("{}", fmt::join(own, ",")));
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  command.push_back(options.program);
  command.insert(command.end(), options.worker.begin(), options.worker.end());
  return command;
}

MpirunOptions mpirun_in_namespaces(const NamespaceLaunch& launch) {
  ensure(!launch.namespaces.empty(), "a host");
  // As /proc names this process, whatever pid namespace that is of: where others find the
  // descriptors.
  const std::string self = std::filesystem::read_symlink("/proc/self");
  const std::string program = std::filesystem::canonical(launch.program);
  MpirunOptions options{.agent = fmt::format("enter-host /proc/{}/fd", self),
                        .agent_program = program,
                        .interfaces = launch.interfaces,
                        .own_interfaces = launch.own_interfaces,
                        .environment = {"OMPI_ALLOW_RUN_AS_ROOT=1",  // of the sandbox, not of the
                                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},  // machine
                        .program = program,
                        .namespace_fd = launch.namespaces.front(),
                        .keeps_capabilities = true,
                        .one_clock = true};
  for (const int space : launch.namespaces) {
    options.hosts.push_back(fmt::format("namespace{}", space));
  }
  return options;
}

}  // namespace gradwire::workers
