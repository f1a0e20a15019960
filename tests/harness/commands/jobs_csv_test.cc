#include "harness/commands/jobs_csv.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/harness/commands/ran_jobs.h"

namespace gradwire::commands {
namespace {

using testing::ToldJobs;

constexpr const char* kHeader =
    "wiring,backing,job,ranks,start_us,beside,iteration_us,slowdown,link,link_us,link_own_us,"
    "shared_with\r\n";

// a and b share an uplink; c shares nothing and was run beside nobody.
TEST(JobsCsv, HasALineForEveryJobAndWhomItRanBeside) {
  ToldJobs told;
  told.add("a", 0.5, 0.75);
  told.add("b", 0.25, 0.25);
  told.add("c", 2, 2);
  told.listed(1).start = Seconds(0.001);
  told.company.slowdown = {{1, 1.5, 0}, {1, 1, 0}, {0, 0, 1}};
  told.company.links[0] = {
      .link = told.uplink(), .seconds = 0.5, .own_seconds = 0.125, .others = {1}};
  told.company.links[1] = {
      .link = told.uplink(), .seconds = 0.5, .own_seconds = 0.375, .others = {0, 2}};
  const std::array ran{told.ran()};
  const std::string begin = "\"leaf-spine(2,4,1)\",simulated,";
  EXPECT_EQ(format_jobs_csv(ran),
            kHeader + begin + "a,2,0,,500000,1,,,,\r\n" +  //
                begin + "a,2,0,b,750000,1.5,,,,\r\n" +     //
                begin + "a,2,0,all,750000,1.5,leaf 0 -> spine 0,500000,125000,b\r\n" + begin +
                "b,2,1000,,250000,1,,,,\r\n" +           //
                begin + "b,2,1000,a,250000,1,,,,\r\n" +  //
                begin + "b,2,1000,all,250000,1,leaf 0 -> spine 0,500000,375000,a c\r\n" + begin +
                "c,2,0,,2000000,1,,,,\r\n" +  //
                begin + "c,2,0,all,2000000,1,,,,\r\n");
}

// Without pairs: alone and with all. What was emulated says so, below what was simulated.
TEST(JobsCsv, HasEachBacking) {
  ToldJobs simulated;
  simulated.add("a", 0.5, 0.5);
  ToldJobs emulated;
  emulated.add("a", 0.5, 1);
  const std::array ran{simulated.ran(), emulated.ran(record::Backing::emulated)};
  EXPECT_EQ(format_jobs_csv(ran), std::string(kHeader) +
                                      "\"leaf-spine(2,4,1)\",simulated,a,2,0,,500000,1,,,,\r\n" +
                                      "\"leaf-spine(2,4,1)\",simulated,a,2,0,all,500000,1,,,,\r\n" +
                                      "\"leaf-spine(2,4,1)\",emulated,a,2,0,,500000,1,,,,\r\n" +
                                      "\"leaf-spine(2,4,1)\",emulated,a,2,0,all,1000000,2,,,,\r\n");
}

TEST(JobsCsv, LeavesEmptyWhatAJobWithoutTimeHasNot) {
  ToldJobs told;
  told.add("idle", 0, 0);
  const std::array ran{told.ran()};
  EXPECT_EQ(format_jobs_csv(ran), std::string(kHeader) +
                                      "\"leaf-spine(2,4,1)\",simulated,idle,2,0,,0,,,,,\r\n" +
                                      "\"leaf-spine(2,4,1)\",simulated,idle,2,0,all,0,,,,,\r\n");
}

// Names come from whoever wrote the list.
TEST(JobsCsv, QuotesNames) {
  ToldJobs told;
  told.add("=1+1, \"a\"", 1, 1);
  const std::array ran{told.ran()};
  EXPECT_NE(format_jobs_csv(ran).find(",\"'=1+1, \"\"a\"\"\",2,"), std::string::npos)
      << format_jobs_csv(ran);
}

}  // namespace
}  // namespace gradwire::commands
