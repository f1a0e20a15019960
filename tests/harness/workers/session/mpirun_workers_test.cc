#include "harness/workers/session/mpirun_workers.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "harness/workers/preflight.h"
#include "harness/workers/session/session.h"
#include "testbed/emulation.h"
#include "testbed/scratch_folder.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/harness/workers/session/hosts_in_namespaces.h"
#include "tests/sanitized.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

/// mpirun, its daemons and workers in namespaces of a sandbox: as on hosts, on one machine.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using testing::Hosts;
using testing::keeper_of;
using testing::processes_of;
using testing::read;
using testing::worker_of;

Job job(const std::string& algorithm) {
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("bcube(2,2)");
  return {.task = {.wiring = wiring,
                   .algorithm = algorithms::testing::named(algorithm, *wiring),
                   .workload = workloads::Workload(workloads::Elements{50'001}),
                   .schedule = {.name = "wfbp"}},
          .timeout = 2s};
}

std::int64_t wrong(const std::vector<record::RankIteration>& ranks) {
  std::int64_t all = 0;
  for (const record::RankIteration& rank : ranks) all += rank.wrong.value_or(1);
  return all;
}

std::size_t processes() {
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < 4; ++rank) count += processes_of(rank).size();
  return count;
}

/// Runs iterations until one fails; what that says, or nothing after `most`.
std::optional<FabricError> run_until_failure(Session& session, const Session::Assigned& assigned,
                                             std::size_t most) {
  try {
    for (std::size_t i = 0; i < most; ++i) {
      static_cast<void>(session.iterate(assigned, {.iteration = i, .check = true}, 10ms));
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
        const auto assigned = session->assign(job(algorithm));
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_EQ(wrong(session->iterate(assigned, {.iteration = i, .check = true}, 10ms)), 0)
              << algorithm;
        }
        session->finish(assigned);
      }
      EXPECT_FALSE(session->clock_error()) << "they share the machine's";
    }
    EXPECT_EQ(processes(), 0u);
  });
}

// Jobs of several sizes and types in turns: what one leaves in the memory that they share is wrong for
// the next.
TEST(MpirunWorkers, RunJobsInTurns) {
  IN_SANDBOX({
    const Hosts hosts;
    const auto session = hosts.start();
    std::vector<Session::Assigned> all;
    for (const auto& [algorithm, elements] :
         {std::pair("ring", 1000u), std::pair("bml", 50'001u), std::pair("ps(servers=1)", 70u)}) {
      for (const Dtype type : {Dtype::float32, Dtype::float64}) {
        Job next = job(algorithm);
        next.task.workload = workloads::Workload(workloads::Elements{elements});
        next.task.type = type;
        all.push_back(session->assign(next, 50'001));
      }
    }
    Job training = job("ring");
    training.training = TrainingJob{.dilation = 1};
    training.training->layers = {
        {.tensors = {30'000}, .forward = Seconds(1e-3), .backward = Seconds(1e-3)}};
    all.push_back(session->assign(training, 50'001));
    for (std::size_t turn = 0; turn < 3; ++turn) {
      for (const Session::Assigned& assigned : all) {
        EXPECT_EQ(wrong(session->iterate(assigned, {.iteration = turn, .check = true}, 10ms)), 0)
            << assigned.number;
      }
      std::ranges::reverse(all);
    }
    session->finish(all.front());
    EXPECT_EQ(wrong(session->iterate(all.back(), {.iteration = 3, .check = true}, 10ms)), 0);
    EXPECT_TRUE(run_until_failure(*session, all.front(), 1)) << "it is finished";
  });
}

// Longer than MPI sends at once, both ways.
TEST(MpirunWorkers, CarryLongMessages) {
  IN_SANDBOX({
    constexpr std::size_t kLayers = 2000;
    const Hosts hosts;
    const auto session = hosts.start();
    Job long_job = job("bml");
    // 2000 buckets are much to set up on a busy machine.
    long_job.timeout = gradwire::testing::kSanitized ? 200s : 20s;
    long_job.training = TrainingJob{.dilation = 1};
    for (std::size_t i = 0; i < kLayers; ++i) {
      long_job.training->layers.push_back(
          {.tensors = {10}, .forward = Seconds(1.23456789e-9), .backward = Seconds(1.23456789e-9)});
    }
    EXPECT_GT(to_json(long_job).dump().size(), 65'536u);
    const auto assigned = session->assign(long_job);
    const auto ranks =
        session->iterate(assigned, {.iteration = 0, .check = true, .trace = true}, 2s);
    EXPECT_EQ(wrong(ranks), 0);
    for (const record::RankIteration& rank : ranks) EXPECT_GT(rank.transfers.size(), kLayers);
  });
}

TEST(MpirunWorkers, TrainWithClocksOfTheirOwn) {
  IN_SANDBOX({
    const Hosts hosts;
    MpirunOptions options = hosts.options();
    options.one_clock = false;
    const auto session = hosts.start(std::move(options));
    Job training = job("ring");
    training.training = TrainingJob{.dilation = 1};
    training.training->layers = {
        {.tensors = {50'001}, .forward = Seconds(1e-3), .backward = Seconds(1e-3)}};
    const auto assigned = session->assign(training);
    EXPECT_TRUE(assigned.plan && !assigned.plan->cost.empty());
    EXPECT_EQ(wrong(session->iterate(assigned, {.iteration = 0, .check = true}, 10ms)), 0);
    EXPECT_TRUE(session->clock_error());
    EXPECT_GT(session->clock_error()->count(), 0);
  });
}

TEST(MpirunWorkers, NameAKilledWorker) {
  IN_SANDBOX({
    const Hosts hosts;
    for (const std::size_t victim : {2u, 0u}) {
      const auto session = hosts.start();
      const auto assigned = session->assign(job("ring"));
      EXPECT_FALSE(run_until_failure(*session, assigned, 2));
      ::kill(worker_of(victim), SIGKILL);
      const auto error = run_until_failure(*session, assigned, 1000);
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
    const auto assigned = session->assign(job("ring"));
    ::kill(keeper_of(3), SIGKILL);
    const auto error = run_until_failure(*session, assigned, 1000);
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
    const auto assigned = session->assign(job("ring"));
    ::kill(worker_of(1), SIGSTOP);
    const auto error = run_until_failure(*session, assigned, 1000);
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
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
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
    const std::filesystem::path agent = folder.path() / "agent";
    std::ofstream(agent) << "#!/bin/sh\nexec sleep 1000\n";
    std::filesystem::permissions(agent, std::filesystem::perms::owner_all);
    options.agent = agent;
    options.agent_program.clear();
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

TEST(MpirunWorkers, StartFromAFolderWithSpaces) {
  IN_SANDBOX({
    const Hosts hosts;
    const testbed::ScratchFolder folder("gw-test");
    const std::filesystem::path tools = folder.path() / "my tools: all";
    std::filesystem::create_directory(tools);
    std::filesystem::copy_file(GRADWIRE_PROGRAM, tools / "gradwire");
    const auto session = hosts.start(hosts.options(tools / "gradwire"));
    EXPECT_EQ(session->examine().size(), 4u);
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
}  // namespace gradwire::workers
