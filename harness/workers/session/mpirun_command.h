#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gradwire::workers {

/// Options of an mpirun (Open MPI 4.1) that starts one worker per rank.
struct MpirunOptions {
  std::vector<std::string> hosts;  ///< by rank, as the agent knows them
  std::string agent;          ///< the command that starts others on a host; empty: mpirun's own
  std::string agent_program;  ///< beginning of the agent's command, if its path may hold spaces
  std::vector<std::string> interfaces;      ///< interfaces of MPI; empty: all
  std::vector<std::string> own_interfaces;  ///< mpirun's and its daemons'; empty: as `interfaces`
  std::vector<std::string> arguments;       ///< more of mpirun, the user's
  std::vector<std::string> environment;     ///< "NAME=value", of mpirun
  std::string program;                      ///< gradwire, where the hosts have it
  std::vector<std::string> worker = {"worker", "--mpi"};  ///< words that the program is told
  std::string launcher = "mpirun";
  int namespace_fd = -1;            ///< mpirun's network namespace; -1: the caller's
  bool keeps_capabilities = false;  ///< needed by an agent that enters namespaces
  bool one_clock = false;           ///< all hosts are this machine
};

/// A path as a word of the agent's command. Throws InputError that names `variable`, which the path
/// comes from, when Open MPI would cut it: it takes spaces for the ends of words, and colons for
/// those of commands.
[[nodiscard]] std::string agent_word(const std::filesystem::path& path, const char* variable);

/// `program` as a word of the agent's command: by a link in `folder` where its own path is none.
/// Throws as agent_word for a folder whose path is none either.
[[nodiscard]] std::string linked_word(const std::filesystem::path& program,
                                      const std::filesystem::path& folder);

/// The program's path first.
[[nodiscard]] std::vector<std::string> mpirun_command(const MpirunOptions& options);

/// Launch of workers in network namespaces of this machine, by rank. `interfaces` are the names
/// that MPI uses there, the same in each; `own_interfaces` mpirun's. `program` is gradwire itself;
/// it enters the namespaces, whose descriptors must stay open.
struct NamespaceLaunch {
  std::span<const int> namespaces;
  std::vector<std::string> interfaces;
  std::vector<std::string> own_interfaces = {};
  std::string program = "/proc/self/exe";
};
[[nodiscard]] MpirunOptions mpirun_in_namespaces(const NamespaceLaunch& launch);

}  // namespace gradwire::workers
