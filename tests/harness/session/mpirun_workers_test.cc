#include "harness/session/mpirun_workers.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "harness/preflight.h"
#include "harness/session/session.h"
#include "testbed/emulation.h"
#include "testbed/scratch_folder.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

/// mpirun, its daemons and workers in namespaces of a sandbox: as on hosts, on one machine.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr Nanoseconds kStarting = 60s;

std::string read(const fs::path& path) {
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

  [[nodiscard]] MpirunOptions options() const {
    return mpirun_in_namespaces({.namespaces = namespaces_,
                                 .interfaces = {testbed::Emulation::kManagementInterface},
                                 .program = GRADWIRE_PROGRAM});
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

Job job(const std::string& algorithm) {
  return {.wiring = "bcube(2,2)", .algorithm = algorithm, .elements = 50'001, .timeout = 2s};
}

std::int64_t wrong(const std::vector<RankIteration>& ranks) {
  std::int64_t all = 0;
  for (const RankIteration& rank : ranks) all += rank.wrong.value_or(1);
  return all;
}

/// Processes of the sandbox that are a worker of `rank`: its keeper and itself.
std::set<pid_t> processes_of(std::size_t rank) {
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

pid_t parent_of(pid_t pid) {
  const std::string stat = read("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream words(stat.substr(stat.rfind(')') + 1));
  char state = 0;
  pid_t parent = 0;
  words >> state >> parent;
  return parent;
}

/// The worker itself: the one whose parent is a process of the rank, too.
pid_t worker_of(std::size_t rank) {
  const std::set<pid_t> all = processes_of(rank);
  for (const pid_t pid : all) {
    if (all.contains(parent_of(pid))) return pid;
  }
  return -1;
}

pid_t keeper_of(std::size_t rank) {
  return parent_of(worker_of(rank));
}

std::size_t processes() {
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < 4; ++rank) count += processes_of(rank).size();
  return count;
}

/// Runs iterations until one fails; what that says, or nothing after `most`.
std::optional<FabricError> run_until_failure(Session& session, std::size_t most) {
  try {
    for (std::size_t i = 0; i < most; ++i) {
      static_cast<void>(session.iterate({.iteration = i, .check = true}, 10ms));
    }
  } catch (const FabricError& error) {
    return error;
  }
  return std::nullopt;
}

#define IN_SANDBOX(...)                             \
  SKIP_WITHOUT_SANDBOX();                           \
  EXPECT_EQ(testbed::testing::in_sandbox([] {       \
              __VA_ARGS__;                          \
              return ::testing::Test::HasFailure(); \
            }),                                     \
            0)

TEST(MpirunWorkers, RunOneJobAfterAnother) {
  IN_SANDBOX({
    const Hosts hosts;
    {
      const auto session = hosts.start();
      for (const char* algorithm : {"ring", "bml", "ps"}) {
        static_cast<void>(session->assign(job(algorithm)));
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_EQ(wrong(session->iterate({.iteration = i, .check = true}, 10ms)), 0) << algorithm;
        }
      }
      EXPECT_FALSE(session->clock_error()) << "they share the machine's";
    }
    EXPECT_EQ(processes(), 0u);
  });
}

// Longer than MPI sends at once, both ways.
TEST(MpirunWorkers, CarryLongMessages) {
  IN_SANDBOX({
    constexpr std::size_t kLayers = 2000;
    const Hosts hosts;
    const auto session = hosts.start();
    Job long_job = job("bml");
    long_job.elements = kLayers * 10;
    long_job.timeout = 20s;  // 2000 buckets are much to set up on a busy machine
    long_job.training = TrainingJob{.schedule = "wfbp", .dilation = 1};
    for (std::size_t i = 0; i < kLayers; ++i) {
      long_job.training->layers.push_back(
          {.tensors = {10}, .forward = Seconds(1.23456789e-9), .backward = Seconds(1.23456789e-9)});
    }
    EXPECT_GT(to_json(long_job).dump().size(), 65'536u);
    static_cast<void>(session->assign(long_job));
    const auto ranks = session->iterate({.iteration = 0, .check = true, .trace = true}, 2s);
    EXPECT_EQ(wrong(ranks), 0);
    for (const RankIteration& rank : ranks) EXPECT_GT(rank.transfers.size(), kLayers);
  });
}

TEST(MpirunWorkers, TrainWithClocksOfTheirOwn) {
  IN_SANDBOX({
    const Hosts hosts;
    MpirunOptions options = hosts.options();
    options.one_clock = false;
    const auto session = hosts.start(std::move(options));
    Job training = job("ring");
    training.training = TrainingJob{.schedule = "wfbp", .dilation = 1};
    training.training->layers = {
        {.tensors = {50'001}, .forward = Seconds(1e-3), .backward = Seconds(1e-3)}};
    const auto plan = session->assign(training);
    EXPECT_TRUE(plan && !plan->cost.empty());
    EXPECT_EQ(wrong(session->iterate({.iteration = 0, .check = true}, 10ms)), 0);
    EXPECT_TRUE(session->clock_error());
    EXPECT_GT(session->clock_error()->count(), 0);
    EXPECT_LT(*session->clock_error(), 100ms);
  });
}

TEST(MpirunWorkers, NameAKilledWorker) {
  IN_SANDBOX({
    const Hosts hosts;
    for (const std::size_t victim : {2u, 0u}) {
      const auto session = hosts.start();
      static_cast<void>(session->assign(job("ring")));
      EXPECT_FALSE(run_until_failure(*session, 2));
      ::kill(worker_of(victim), SIGKILL);
      const auto error = run_until_failure(*session, 1000);
      EXPECT_TRUE(error);
      if (!error) continue;
      EXPECT_EQ(error->failure(), FabricFailure::peer_closed) << error->what();
      EXPECT_THAT(
          std::string(error->what()),
          ::testing::HasSubstr("rank " + std::to_string(victim) + " was killed by signal 9"));
    }
    EXPECT_EQ(processes(), 0u);
  });
}

TEST(MpirunWorkers, NameAWorkerWhoseKeeperIsKilled) {
  IN_SANDBOX({
    const Hosts hosts;
    const auto session = hosts.start();
    static_cast<void>(session->assign(job("ring")));
    ::kill(keeper_of(3), SIGKILL);
    const auto error = run_until_failure(*session, 1000);
    EXPECT_TRUE(error);
    if (error) {
      EXPECT_THAT(std::string(error->what()), ::testing::HasSubstr("rank 3 "));
    }
  });
}

TEST(MpirunWorkers, NameAWorkerThatStandsStill) {
  IN_SANDBOX({
    const Hosts hosts;
    const auto session = hosts.start();
    static_cast<void>(session->assign(job("ring")));
    ::kill(worker_of(1), SIGSTOP);
    const auto error = run_until_failure(*session, 1000);
    EXPECT_TRUE(error);
    if (error) {
      EXPECT_EQ(error->failure(), FabricFailure::stalled) << error->what();
      EXPECT_THAT(std::string(error->what()), ::testing::HasSubstr("rank 1")) << error->what();
    }
  });
}

TEST(MpirunWorkers, SayWhyTheyCannotStart) {
  IN_SANDBOX({
    const Hosts hosts;
    MpirunOptions options = hosts.options();
    options.program = "/nowhere/gradwire";
    try {
      static_cast<void>(hosts.start(std::move(options)));
      ADD_FAILURE() << "it started";
    } catch (const FabricError& error) {
      EXPECT_EQ(error.failure(), FabricFailure::refused);
      EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr("/nowhere/gradwire"));
    }
  });
}

/// Processes of the sandbox that have `word` in their environment.
std::size_t processes_with(const std::string& word) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    count += read(entry.path() / "environ").find(word) != std::string::npos ? 1 : 0;
  }
  return count;
}

// As ssh does on its way to a host that does not answer.
TEST(MpirunWorkers, LeaveNothingBehindThatIsStillStarting) {
  IN_SANDBOX({
    const Hosts hosts;
    MpirunOptions options = hosts.options();
    const testbed::ScratchFolder folder("gw-test");
    const fs::path agent = folder.path() / "agent";
    std::ofstream(agent) << "#!/bin/sh\nexec sleep 1000\n";
    fs::permissions(agent, fs::perms::owner_all);
    options.agent = agent;
    options.environment.push_back("GRADWIRE_TEST_MARK=starting");
    try {
      static_cast<void>(hosts.start(std::move(options), 1s));
      ADD_FAILURE() << "it started";
    } catch (const FabricError& error) {
      EXPECT_EQ(error.failure(), FabricFailure::stalled) << error.what();
    }
    EXPECT_EQ(processes_with("GRADWIRE_TEST_MARK=starting"), 0u);
  });
}

TEST(MpirunWorkers, SayThatThereIsNoMpirun) {
  IN_SANDBOX({
    const Hosts hosts;
    MpirunOptions options = hosts.options();
    options.launcher = "no-mpirun-here";
    try {
      static_cast<void>(hosts.start(std::move(options)));
      ADD_FAILURE() << "it started";
    } catch (const Preflight& error) {
      EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr("install Open MPI"));
    }
  });
}

}  // namespace
}  // namespace gradwire::harness
