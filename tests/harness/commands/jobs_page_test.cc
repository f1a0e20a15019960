#include "harness/commands/jobs_page.h"

#include <array>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/harness/commands/ran_jobs.h"

namespace gradwire::commands {
namespace {

using testing::ToldJobs;

std::string sentence(const ToldJobs& told) {
  const std::array ran{told.ran()};
  return jobs_page_data(ran, {}).at("answer").at("sentence");
}

TEST(JobsPage, NamesTheJobThatIsSlowedDownMost) {
  ToldJobs told;
  told.add("a", 1, 1.5);
  told.add("b", 2, 3.5);
  told.add("c", 1, 1);
  EXPECT_EQ(sentence(told),
            "3 jobs on leaf-spine(2,4,1), simulated: b is slowed down most, 1.75 times as long an "
            "iteration as alone.");
}

// Measured times of jobs that suffer alike differ a little.
TEST(JobsPage, NamesAllThatAreSlowedDownAlike) {
  ToldJobs told;
  told.add("a", 1, 1.749);
  told.add("b", 2, 3.5);
  told.add("c", 1, 1.6);
  EXPECT_EQ(sentence(told),
            "3 jobs on leaf-spine(2,4,1), simulated: a and b are slowed down most, and alike: 1.75 "
            "times as long an iteration as alone.");
}

TEST(JobsPage, CountsThoseOfManyThatAreSlowedDownAlike) {
  ToldJobs told;
  for (const char* name : {"a", "b", "c", "d"}) told.add(name, 1, 2);
  EXPECT_NE(sentence(told).find(": a, b, c and d are slowed down"), std::string::npos);
  told.add("e", 1, 2);
  told.add("f", 1, 2);
  EXPECT_NE(sentence(told).find(": a, b, c and 3 more are slowed down"), std::string::npos);
}

// Nobody is alike with a job that is hardly slowed down but those that are, too.
TEST(JobsPage, SaysThatNoneIsSlower) {
  ToldJobs told;
  told.add("a", 1, 1.006);
  told.add("b", 1, 1);
  told.add("idle", 0, 0);
  EXPECT_NE(sentence(told).find(": a is slowed down most, 1.01 times"), std::string::npos);
  told.company.together[0] = 1.004;
  EXPECT_EQ(sentence(told),
            "3 jobs on leaf-spine(2,4,1), simulated: no job is slower beside the others.");
}

TEST(JobsPage, HasEveryJobWithWhomItWasRun) {
  ToldJobs told;
  told.add("a", 0.5, 0.75);
  told.add("b", 0.25, 0.25);
  told.company.slowdown = {{1, 1.5}, {0, 1}};
  told.company.links[0] = {
      .link = told.uplink(), .seconds = 0.5, .own_seconds = 0.125, .others = {1}};
  const std::array ran{told.ran(record::Backing::emulated)};
  const nlohmann::json company = jobs_page_data(ran, {"Measured."}).at("companies").at(0);
  EXPECT_EQ(company.at("notes"), nlohmann::json({"Measured."}));
  EXPECT_EQ(company.at("jobs"), nlohmann::json::parse(R"([
    {"name": "a", "ranks": 2, "alone_us": 5e5, "together_us": 7.5e5, "slowdown": [null, 1.5],
     "link": {"name": "leaf 0 -> spine 0", "needs_us": 5e5, "own_us": 1.25e5, "others": ["b"]}},
    {"name": "b", "ranks": 2, "alone_us": 2.5e5, "together_us": 2.5e5, "slowdown": [null, null],
     "link": null}])"));
}

}  // namespace
}  // namespace gradwire::commands
