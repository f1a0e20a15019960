#include "schedule/jobs/jobs_file.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::jobs {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kHead = "gradwire-jobs: 1\njobs:\n";

std::string error_of_jobs(const std::string& jobs) {
  try {
    static_cast<void>(parse_jobs(kHead + jobs, "list.yaml"));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(JobsFile, SaysWhereAndWhenJobsRun) {
  const std::vector<ListedJob> jobs =
      parse_jobs(std::string(kHead) +
                     "  - {name: a, file: x.yaml}\n"
                     "  - {name: b, file: /y.yaml, placement: spread, start: 2ms, iterations: 3}\n"
                     "  - {name: c, file: x.yaml, placement: [4, 0]}\n"
                     "  - {name: d, file: x.yaml, placement: random(12)}\n",
                 "folder/list.yaml");
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[0].file, "folder/x.yaml");
  EXPECT_EQ(jobs[0].iterations, 10U);
  EXPECT_TRUE(std::holds_alternative<Compact>(jobs[0].placement));
  EXPECT_EQ(jobs[1].file, "/y.yaml");
  EXPECT_EQ(jobs[1].start, Seconds(0.002));
  EXPECT_EQ(jobs[1].iterations, 3U);
  EXPECT_TRUE(std::holds_alternative<Spread>(jobs[1].placement));
  EXPECT_THAT(std::get<Named>(jobs[2].placement), ElementsAre(Rank(4), Rank(0)));
  EXPECT_EQ(std::get<Shuffled>(jobs[3].placement).seed, 12U);
}

TEST(JobsFile, RefusesWhatMakesNoSense) {
  EXPECT_THAT(error_of_jobs("  - {name: a, file: x}\n  - {name: a, file: y}\n"),
              StartsWith("list.yaml:4:12: a second job is named 'a'"));
  EXPECT_THAT(error_of_jobs("  - {name: a, file: x, placement: dense}\n"),
              AllOf(StartsWith("list.yaml:3:35"), HasSubstr("expected compact, spread")));
  EXPECT_THAT(error_of_jobs("  - {name: a, file: x, start: later}\n"),
              AllOf(StartsWith("list.yaml:3:31"), HasSubstr("not a duration")));
  EXPECT_THAT(error_of_jobs("  - {name: a, file: x, placement: [-1]}\n"),
              HasSubstr("the number of a host"));
}

TEST(JobsFile, ReadsEachJobFileOnce) {
  const fs::path folder = fs::path(::testing::TempDir()) / "jobs_file_test";
  fs::create_directories(folder);
  std::ofstream(folder / "one.yaml") << "gradwire-job: 1\nprograms: [{name: p, nodes: []}]\n"
                                        "ranks: [{ranks: [0-2], program: p}]\n";
  std::ofstream(folder / "list.yaml")
      << kHead
      << "  - {name: a, file: one.yaml}\n  - {name: b, file: one.yaml, placement: spread}\n";
  const std::vector<ListedJob> jobs = load_jobs(folder / "list.yaml");
  EXPECT_EQ(jobs[0].job, jobs[1].job);
  EXPECT_THAT(place(6, jobs)[1], ElementsAre(Rank(3), Rank(4), Rank(5)));
  std::ofstream(folder / "list.yaml") << kHead << "  - {name: a, file: none.yaml}\n";
  EXPECT_THROW(std::ignore = load_jobs(folder / "list.yaml"), InputError);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace gradwire::jobs
