#include <algorithm>
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "core/units.h"
#include "program.h"
#include "testbed/machine_time.h"

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

/// What others had of the machine since it was made, as seen from outside: less what our children
/// did that have ended and been waited for.
class Others {
 public:
  [[nodiscard]] double share() const {
    const Moment now = moment();
    const Seconds capacity = (now.at - began_.at) * static_cast<double>(now.all.processors);
    const Seconds busy =
        capacity - (now.all.idle - began_.all.idle) - (now.all.interrupts - began_.all.interrupts);
    return (busy - (now.children - began_.children)) / capacity;
  }

 private:
  struct Moment {
    Seconds at;
    Seconds children;
    testbed::ProcessorTimes all;
  };

  static Moment moment() {
    const auto seconds = [](const timeval& time) {
      return Seconds(static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec));
    };
    rusage children{};
    ::getrusage(RUSAGE_CHILDREN, &children);
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    return {.at = std::chrono::steady_clock::now().time_since_epoch(),
            .children = seconds(children.ru_utime) + seconds(children.ru_stime),
            .all = testbed::processor_times(read("/proc/stat"), ticks).value()};
  }

  Moment began_ = moment();
};

/// From here on nobody says that the machine was quiet.
constexpr double kQuiet = 0.07;

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
// in a later one: all between are marked. The others are not where the machine is else quiet.
TEST_F(Machine, MarksWhatAPlantedProcessDisturbs) {
  const std::string file = experiment(
      "dilation: 20\nelements: 300000\nwarmup: 1\niterations: 16\nalgorithm: ring\n"
      "wiring: single-switch(4)\n");
  const fs::path out = scratch_ / "run";
  const Others others;
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 5);
  std::size_t first = 0;
  std::size_t last = 0;
  {
    const BusyProcesses busy(std::max(1U, std::thread::hardware_concurrency() / 2));
    first = samples(out) + 1;  // the one under way began before
    await_samples(out, first + 6);
    last = samples(out);
  }
  ASSERT_EQ(finish(run), commands::kExitOk) << read(scratch_ / "stderr");
  const bool is_quiet = others.share() < kQuiet;
  const std::vector<nlohmann::json> all = lines(out);
  ASSERT_EQ(all.size(), 17u);
  if (!all.front().contains("machine")) GTEST_SKIP() << "no schedstat here";
  std::size_t marked = 0;
  std::size_t elsewhere = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= first && i < last) {
      EXPECT_TRUE(is_marked(all[i])) << i << ": " << all[i].at("machine");
    } else if ((i + 1 < first || i > last) && is_marked(all[i])) {
      ++elsewhere;
    }
    if (!all[i].at("warmup") && is_marked(all[i])) ++marked;
  }
  if (is_quiet) {
    EXPECT_LE(elsewhere, 1u) << read(out / "samples.ndjson");
  }
  const auto row = nlohmann::json::parse(read(out / "results.json")).at("rows").at(0);
  EXPECT_EQ(row.at("iterations").at("disturbed"), marked);
  EXPECT_EQ(row.at("iterations").at("attempted"), 17);
  EXPECT_EQ(row.at("iterations").at("warmup"), 1);
}

// Ranks communicate on threads that live for one iteration, and take much of two processors, on many
// links that a slow machine carries, too: what these run is ours.
TEST_F(Machine, ThreadsOfATrainingJobAreOurs) {
  std::ofstream(scratch_ / "mine.csv") << "# source: made up\n"
                                          "tensor,elements,forward_us,backward_us\n"
                                          "one,1500000,2500,2500\n";
  const std::string file = experiment(
      "dilation: 4\nwarmup: 1\niterations: 12\ncompute: {trace: mine.csv}\nalgorithm: bml\n"
      "schedule: synceasgd\nwiring: \"bcube(3,2)\"\n");
  const fs::path out = scratch_ / "run";
  const Others others;
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const double share = others.share();
  const std::vector<nlohmann::json> all = lines(out);
  if (!all.front().contains("machine")) GTEST_SKIP() << "no schedstat here";
  if (share >= kQuiet) GTEST_SKIP() << "others had " << share << " of this machine";
  EXPECT_LE(std::ranges::count_if(all, is_marked), 1) << read(out / "samples.ndjson");
}

}  // namespace
}  // namespace gradwire::harness
