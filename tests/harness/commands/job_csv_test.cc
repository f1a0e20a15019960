#include "harness/commands/job_csv.h"

#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "topologies/registry.h"

namespace gradwire::commands {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;

// An iteration from 2 to 10 s: both ranks compute from 4 to 7 s; rank 0 sums from 5 s on, rank 1 from 6.
TEST(JobCsv, HasALineForEveryGroupAndOneForAll) {
  const jobs::Job job =
      jobs::testing::job_of_all({compute(3), call(Collective::all_reduce, 0, 8, 1)}, 2);
  const auto topology = topologies::make_topology("single-switch(2)");
  const algorithms::JobAlgorithms algorithms(std::vector<std::string>{});
  const simulator::JobOutcome outcome{.ends = {2, 10},
                                      .nodes = {{{.start = 4, .end = 7}, {.start = 5, .end = 10}},
                                                {{.start = 4, .end = 7}, {.start = 6, .end = 10}}}};
  const RanJob ran{.job = job,
                   .topology = *topology,
                   .algorithms = algorithms,
                   .outcomes = {{.backing = record::Backing::simulated, .outcome = outcome},
                                {.backing = record::Backing::emulated, .outcome = outcome}}};
  const std::string times = ",2,1,8000000,4500000,3000000,3000000\r\n";
  EXPECT_EQ(format_job_csv(ran),
            "wiring,backing,job,group,ranks,calls,iteration_us,busy_us,exposed_us,most_exposed_us"
            "\r\nsingle-switch(2),simulated,,all" +
                times + "single-switch(2),simulated,," + times + "single-switch(2),emulated,,all" +
                times + "single-switch(2),emulated,," + times);
}

}  // namespace
}  // namespace gradwire::commands
