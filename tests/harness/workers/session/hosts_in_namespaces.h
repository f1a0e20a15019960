#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "harness/workers/session/mpirun_workers.h"
#include "harness/workers/session/session.h"
#include "testbed/emulation.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

/// Four hosts of a sandbox that mpirun can reach, and the processes that it starts there.
namespace gradwire::testing {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using workers::MpirunOptions;
using workers::MpirunWorkers;
using workers::Session;

constexpr Nanoseconds kStarting = 60s;

inline std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Four hosts that can be reached beside their wiring.
class Hosts {
 public:
  Hosts()
      : topology_(topologies::make_topology("bcube(2,2)")),
        addresses_(topologies::plan_addresses(*topology_)),
        emulation_(*topology_, addresses_, testbed::shape_for({1e9}, 9000)) {
    emulation_.connect_management();
    for (std::size_t i = 0; i < topology_->hosts(); ++i) {
      namespaces_.push_back(emulation_.namespace_of(Rank(i)));
    }
  }

  [[nodiscard]] MpirunOptions options(const std::string& program = GRADWIRE_PROGRAM) const {
    return workers::mpirun_in_namespaces({.namespaces = namespaces_,
                                          .interfaces = {testbed::Emulation::kManagementInterface},
                                          .program = program});
  }

  [[nodiscard]] std::unique_ptr<Session> start(MpirunOptions options,
                                               Nanoseconds patience = kStarting) const {
    Session::Ground ground{.name = topology_->name()};
    for (std::size_t i = 0; i < topology_->hosts(); ++i) {
      Session::Ports& mine = ground.ports.emplace_back();
      for (const topologies::PortAddress& port : addresses_.nodes[i].ports) {
        mine.push_back({.device = testbed::Emulation::interface_of(Port(mine.size())),
                        .address = to_string(port.address)});
      }
    }
    return std::make_unique<Session>(
        std::move(ground), std::make_unique<MpirunWorkers>(options, clock_, patience), clock_);
  }

  [[nodiscard]] std::unique_ptr<Session> start() const { return start(options()); }

 private:
  SteadyClock clock_;
  std::unique_ptr<const topologies::Topology> topology_;
  topologies::AddressPlan addresses_;
  testbed::Emulation emulation_;
  std::vector<int> namespaces_;
};

/// Processes of the sandbox that are a worker of `rank`: its keeper and itself.
inline std::set<pid_t> processes_of(std::size_t rank) {
  const std::string mark = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
  std::set<pid_t> pids;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read(entry.path() / "environ").find(mark) != std::string::npos)
      pids.insert(std::stoi(name));
  }
  return pids;
}

inline pid_t parent_of(pid_t pid) {
  const std::string stat = read("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream words(stat.substr(stat.rfind(')') + 1));
  char state = 0;
  pid_t parent = 0;
  words >> state >> parent;
  return parent;
}

/// The worker itself: the one whose parent is a process of the rank, too.
inline pid_t worker_of(std::size_t rank) {
  const std::set<pid_t> all = processes_of(rank);
  for (const pid_t pid : all) {
    if (all.contains(parent_of(pid))) return pid;
  }
  return -1;
}

inline pid_t keeper_of(std::size_t rank) {
  return parent_of(worker_of(rank));
}

}  // namespace gradwire::testing
