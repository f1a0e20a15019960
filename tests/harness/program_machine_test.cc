#include <algorithm>
#include <thread>

#include <nlohmann/json.hpp>

#include "program.h"

/// A program that takes processors in the middle of a run, seen from outside.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using testing::Program;
using testing::read;

/// Processes that compute until they are destroyed.
class BusyProcesses {
 public:
  explicit BusyProcesses(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        volatile unsigned long sum = 0;
        for (;;) sum = sum + 1;
      }
      pids_.push_back(pid);
    }
  }
  ~BusyProcesses() {
    for (const pid_t pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  BusyProcesses(const BusyProcesses&) = delete;
  BusyProcesses& operator=(const BusyProcesses&) = delete;

 private:
  std::vector<pid_t> pids_;
};

class Machine : public Program {
 protected:
  [[nodiscard]] static std::vector<nlohmann::json> lines(const fs::path& out) {
    std::vector<nlohmann::json> all;
    std::ifstream file(out / "samples.ndjson");
    for (std::string line; std::getline(file, line);) all.push_back(nlohmann::json::parse(line));
    return all;
  }

  [[nodiscard]] static bool is_marked(const nlohmann::json& sample) {
    return std::ranges::find(sample.at("flags"), "disturbed") != sample.at("flags").end();
  }
};

// Iterations of 0.3 s. Half of the processors are taken from somewhere in one of them to somewhere
// in a later one: all between are marked. The others are marked only if others did run, which a
// test cannot know of its machine.
TEST_F(Machine, MarksWhatAPlantedProcessDisturbs) {
  const std::string file = experiment(
      "dilation: 20\nelements: 300000\nwarmup: 1\niterations: 16\nalgorithm: ring\n"
      "wiring: single-switch(4)\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start({"run", file, "-o", out});
  await_samples(out, 5);
  std::size_t first = 0;
  std::size_t last = 0;
  {
    const BusyProcesses busy(std::max(1U, std::thread::hardware_concurrency() / 2));
    first = samples(out) + 1;  // the one under way began before
    await_samples(out, first + 6);
    last = samples(out);
  }
  ASSERT_EQ(finish(run), commands::kExitOk) << read(scratch_ / "stderr");
  const std::vector<nlohmann::json> all = lines(out);
  ASSERT_EQ(all.size(), 17u);
  if (!all.front().contains("machine")) GTEST_SKIP() << "no schedstat here";
  std::size_t marked = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double share = all[i].at("machine").at("foreign_share");
    if (i >= first && i < last) {
      EXPECT_TRUE(is_marked(all[i])) << i << ": " << all[i].at("machine");
    } else if (is_marked(all[i])) {
      EXPECT_GT(share, 0.05) << i << ": " << all[i].at("machine");
    }
    if (!all[i].at("warmup") && is_marked(all[i])) ++marked;
  }
  const auto row = nlohmann::json::parse(read(out / "results.json")).at("rows").at(0);
  EXPECT_EQ(row.at("iterations").at("disturbed"), marked);
  EXPECT_EQ(row.at("iterations").at("attempted"), 17);
  EXPECT_EQ(row.at("iterations").at("warmup"), 1);
}

}  // namespace
}  // namespace gradwire::harness
