#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gradwire::workers {

/// How mpirun (Open MPI 4.1) is to start one worker per rank.
struct MpirunOptions {
  std::vector<std::string> hosts;       ///< by rank, as the agent knows them
  std::string agent;                    ///< what starts a command on a host; empty: mpirun's own
  std::vector<std::string> interfaces;  ///< of MPI; empty: all
  std::vector<std::string> own_interfaces;  ///< of mpirun and its daemons; empty: as `interfaces`
  std::vector<std::string> arguments;       ///< more of mpirun, the user's
  std::vector<std::string> environment;     ///< "NAME=value", of mpirun
  std::string program;                      ///< gradwire, where the hosts have it
  std::vector<std::string> worker = {"worker", "--mpi"};  ///< what the program is told
  std::string launcher = "mpirun";
  int namespace_fd = -1;            ///< mpirun's network namespace; -1: the caller's
  bool keeps_capabilities = false;  ///< for an agent that enters namespaces
  bool one_clock = false;           ///< all hosts are this machine
};

/// The program's path first.
[[nodiscard]] std::vector<std::string> mpirun_command(const MpirunOptions& options);

/// For workers in network namespaces of this machine, by rank. `interfaces` are the names that MPI
/// uses there, the same in each; `own_interfaces` mpirun's. `program` is gradwire itself; it enters
/// the namespaces, whose descriptors must stay open.
struct NamespaceLaunch {
  std::span<const int> namespaces;
  std::vector<std::string> interfaces;
  std::vector<std::string> own_interfaces = {};
  std::string program = "/proc/self/exe";
};
[[nodiscard]] MpirunOptions mpirun_in_namespaces(const NamespaceLaunch& launch);

}  // namespace gradwire::workers
