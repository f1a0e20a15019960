#include "harness/run/jobs/measured_company.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"

namespace gradwire::run {
namespace {

using jobs::testing::compute;
using jobs::testing::compute_and_send;
using simulator::Company;
using simulator::Tenant;
using simulator::testing::kElementPerSecond;
using simulator::testing::simple_plans;
using ::testing::ElementsAre;

constexpr double kExact = 1e-9;

/// A machine that takes as long as the simulation. Jobs run as many iterations as they are told to, and
/// no more.
class ExactMachine {
 public:
  explicit ExactMachine(std::span<const Tenant> tenants)
      : tenants_(tenants.begin(), tenants.end()) {}

  [[nodiscard]] Company simulated(bool pairs = true) const {
    return keep_company(*topology_, tenants_, simple_plans(*topology_), kElementPerSecond, pairs);
  }

  [[nodiscard]] MeasuredCompany measure(const Company& simulated, std::size_t runs = 1) {
    return measure_company(
        [this](const JobsToRun& jobs, const std::string& what) { return run(jobs, what); },
        {.tenants = tenants_, .algorithms = {}, .simulated = simulated, .runs = runs});
  }

  std::vector<double> pace{1};     ///< by run: how many times as long everything takes
  MeasuredJobs found;              ///< what every measurement has beside its runs
  std::vector<std::string> whats;  ///< what was run
  std::vector<double> expected;    ///< how long that was said to take; seconds
  std::vector<double> longest;     ///< and how long a rank may wait

 private:
  MeasuredJobs run(const JobsToRun& jobs, const std::string& what) {
    whats.push_back(what);
    expected.push_back(jobs.expected.count());
    longest.push_back(jobs.longest.count());
    std::vector<Tenant> tenants(jobs.tenants.begin(), jobs.tenants.end());
    for (std::size_t i = 0; i < tenants.size(); ++i) tenants[i].iterations = jobs.iterations[i];
    const auto outcomes =
        simulate(*topology_, tenants, simple_plans(*topology_), kElementPerSecond);
    MeasuredJobs measured = found;
    measured.wrong.resize(tenants.size(), 1);
    measured.verified.resize(tenants.size(), 10);
    for (std::size_t i = 0; i < jobs.runs; ++i) {
      auto& told = measured.runs.emplace_back(outcomes);
      for (std::size_t job = 0; job < told.size(); ++job) {
        told[job].ends.resize(jobs.tenants[job].iterations);
        for (double& end : told[job].ends) end *= pace.at(i);
      }
    }
    return measured;
  }

  std::unique_ptr<const topologies::Topology> topology_ =
      topologies::make_topology("leaf-spine(2,4,1)");  // hosts 0 to 3 and 4 to 7
  std::vector<Tenant> tenants_;
};

/// Two that meet on the uplink, with different numbers of iterations, and one that meets nobody.
class MeasuredCompanyOfThree : public ::testing::Test {
 protected:
  const jobs::Job job_ = compute_and_send(4, 6);
  const std::vector<Tenant> tenants_{
      {.job = job_, .seats = {Rank(0), Rank(4)}, .iterations = 3},
      {.job = job_, .seats = {Rank(1), Rank(5)}, .start = Seconds(1), .iterations = 7},
      {.job = job_, .seats = {Rank(2), Rank(3)}, .iterations = 2}};
  ExactMachine machine_{tenants_};
};

// Whoever has fewer iterations that count goes on as long as the others have not had theirs, as in the
// simulation. Else they would be faster by themselves at the end.
TEST_F(MeasuredCompanyOfThree, IsThatOfAnExactSimulation) {
  const Company simulated = machine_.simulated();
  const Company measured = machine_.measure(simulated).company;
  for (std::size_t job = 0; job < 3; ++job) {
    EXPECT_NEAR(measured.alone[job], 10, kExact);
    EXPECT_NEAR(measured.together[job], simulated.together[job], kExact) << job;
  }
  EXPECT_GT(simulated.together[1], 14);
  EXPECT_NEAR(measured.slowdown[0][1], simulated.slowdown[0][1], kExact);
  EXPECT_NEAR(measured.slowdown[1][0], simulated.slowdown[1][0], kExact);
  EXPECT_THAT(measured.links[0]->others, ElementsAre(1)) << "links are the simulation's";
}

TEST_F(MeasuredCompanyOfThree, IsOfThoseWhoSlowEachOtherDown) {
  const MeasuredCompany measured = machine_.measure(machine_.simulated());
  EXPECT_THAT(machine_.whats,
              ElementsAre("job 0 alone", "job 1 alone", "job 2 alone", "all jobs", "jobs 0 and 1"));
  EXPECT_THAT(measured.company.slowdown[2], ElementsAre(0, 0, 1)) << "not measured";
  EXPECT_EQ(measured.company.slowdown[0][2], 0);
}

TEST_F(MeasuredCompanyOfThree, HasNoPairsWhereTheSimulationHasNone) {
  const MeasuredCompany measured = machine_.measure(machine_.simulated(false));
  EXPECT_EQ(machine_.whats.size(), 4U);
  EXPECT_TRUE(measured.company.slowdown.empty());
}

// Alone 3 iterations of 10 s; together the one that starts after 1 s has 7 that last longest.
TEST_F(MeasuredCompanyOfThree, SaysHowLongEachRunMayTake) {
  const Company simulated = machine_.simulated();
  static_cast<void>(machine_.measure(simulated));
  EXPECT_NEAR(machine_.expected[0], 30, kExact);
  EXPECT_NEAR(machine_.longest[0], 10, kExact);
  const double slowest = std::max(simulated.together[0], simulated.together[1]);
  EXPECT_NEAR(machine_.expected[3], 1 + 7 * slowest, kExact);
  EXPECT_NEAR(machine_.longest[3], slowest, kExact);
}

TEST_F(MeasuredCompanyOfThree, IsOfTheRunInTheMiddle) {
  machine_.pace = {5, 1, 1.5};
  const MeasuredCompany measured = machine_.measure(machine_.simulated(), 3);
  EXPECT_NEAR(measured.company.alone[0], 15, kExact);
  EXPECT_NEAR(measured.company.alone[1], 15 + 0.5 / 7, kExact) << "it still starts after 1 s";
  EXPECT_EQ(measured.runs, 3U * 5);
}

// One, one, one, three and two jobs are run: 8 of them, each with 10 results and a wrong element.
TEST_F(MeasuredCompanyOfThree, AddsUpWhatWasFound) {
  machine_.found.disturbed = 1;
  machine_.found.flags = {"burst", "cpu-bound"};
  const MeasuredCompany measured = machine_.measure(machine_.simulated());
  EXPECT_EQ(measured.verified, 80U);
  EXPECT_EQ(measured.wrong, 8U);
  EXPECT_EQ(measured.disturbed, 5U);
  EXPECT_THAT(measured.flags, ElementsAre("burst", "cpu-bound"));
}

// A job without nodes takes no time, and keeps nobody company.
TEST(MeasuredCompanyOfIdleJobs, DividesByNothing) {
  const jobs::Job idle = jobs::testing::job_of_all({}, 2);
  const jobs::Job busy = jobs::testing::job_of_all({compute(2)}, 2);
  const std::vector<Tenant> tenants{{.job = idle, .seats = {Rank(0), Rank(4)}, .iterations = 4},
                                    {.job = busy, .seats = {Rank(1), Rank(5)}, .iterations = 3}};
  ExactMachine machine(tenants);
  const MeasuredCompany measured = machine.measure(machine.simulated());
  EXPECT_THAT(measured.company.alone, ElementsAre(0, ::testing::DoubleNear(2, kExact)));
  EXPECT_THAT(measured.company.together, ElementsAre(0, ::testing::DoubleNear(2, kExact)));
  EXPECT_EQ(machine.whats.size(), 3U);
}

}  // namespace
}  // namespace gradwire::run
