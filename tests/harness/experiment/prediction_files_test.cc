// What experiments/prediction/ would measure, found by expanding the files: nothing is run.
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/all_reduces.h"
#include "core/text/spec.h"
#include "harness/experiment/experiment.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "transport/execution/settings.h"

namespace gradwire::experiment {
namespace {

namespace fs = std::filesystem;
using ::testing::Ge;

constexpr std::size_t kFewestPairs = 300;
constexpr std::size_t kFewestOfEach = 5;

/// The files, by the names of their files.
std::map<std::string, Experiment> prediction_files() {
  std::map<std::string, Experiment> files;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(GRADWIRE_ROOT) / "experiments/prediction")) {
    if (entry.path().extension() != ".yaml") continue;
    files.emplace(entry.path().stem().string(), load_experiment(entry.path()));
  }
  return files;
}

/// How many pairs have each name of a kind.
using Counts = std::map<std::string, std::size_t, std::less<>>;

/// Points that are predicted and measured, counted by what they have.
struct Coverage {
  std::set<std::string> pairs;  ///< in words: two that are the same count once
  Counts wirings;
  Counts algorithms;
  Counts transports;
  Counts schedules;

  explicit Coverage(const std::map<std::string, Experiment>& files) {
    for (const auto& [name, experiment] : files) {
      if (!experiment.rate.is_limited()) continue;
      for (const Point& point : experiment.points) add(experiment, point);
    }
  }

 private:
  void add(const Experiment& experiment, const Point& point) {
    const std::string transport = execution::to_string(experiment.transport.kind);
    std::string words = fmt::format(
        "{} {} {} {} {} {} {} {}", transport, to_string(experiment.rate),
        experiment.startup.count(), point.task.wiring->name(), point.task.algorithm.name(),
        to_string(point.task.schedule), point.task.workload.name(), point.task.workload.elements());
    if (!point.task.algorithm.has_plans() || !pairs.insert(std::move(words)).second) return;
    const std::string wiring = point.task.wiring->name();
    ++wirings[wiring.substr(0, wiring.find('('))];
    ++algorithms[text::parse_spec(point.task.algorithm.name()).name];
    ++transports[transport];
    ++schedules[point.task.schedule.name];
  }
};

class PredictionFiles : public ::testing::Test {
 protected:
  const std::map<std::string, Experiment> files_ = prediction_files();
  const Coverage coverage_{files_};
};

TEST_F(PredictionFiles, HoldAtLeastThreeHundredPairs) {
  EXPECT_THAT(coverage_.pairs.size(), Ge(kFewestPairs));
}

TEST_F(PredictionFiles, HaveEveryEmulableWiringAlgorithmTransportAndSchedule) {
  const auto expect = [](const Counts& counts, std::string_view name) {
    const auto found = counts.find(name);
    EXPECT_THAT(found == counts.end() ? 0 : found->second, Ge(kFewestOfEach)) << name;
  };
  for (const auto& kind : topologies::wiring_kinds()) {
    if (kind.is_emulated) expect(coverage_.wirings, kind.name);
  }
  for (const auto& kind : algorithms::algorithm_kinds()) expect(coverage_.algorithms, kind.name);
  for (const auto& kind : execution::transports()) expect(coverage_.transports, kind.name);
  for (const auto& kind : schedule::policy_kinds()) expect(coverage_.schedules, kind.name);
}

// The run's folder is found by the file's name, a row has a confidence interval, and what disturbs
// the machine for a moment hits all points alike.
TEST_F(PredictionFiles, AreMeasuredEmulatedInTurns) {
  for (const auto& [name, experiment] : files_) {
    EXPECT_EQ(experiment.name, name);
    EXPECT_TRUE(runs_on(experiment, record::Backing::emulated)) << name;
    EXPECT_GE(experiment.iterations, 6u) << name;
    EXPECT_TRUE(experiment.interleave) << name;
    EXPECT_TRUE(experiment.dilation) << name << ": auto would choose another rate each time";
  }
}

}  // namespace
}  // namespace gradwire::experiment
