#include "results/report/gains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;

/// A job that was measured.
struct Job {
  std::size_t point;
  const char* algorithm;
  const char* wiring;
  std::uint64_t batch;
  double iteration;  ///< seconds
  const char* schedule = "synceasgd";
};

record::Row job_row(const Job& job) {
  record::Row row{.configuration = {.point = job.point,
                                    .wiring = job.wiring,
                                    .algorithm = job.algorithm,
                                    .workload = "lenet5",
                                    .batch = job.batch,
                                    .schedule = job.schedule,
                                    .ranks = 9,
                                    .ports_per_host = 1,
                                    .elements = 100}};
  row.training = record::TrainingRow{.iteration = {.n = 6, .median = job.iteration}};
  return row;
}

const record::GainQuery kFigure6{.of = "bml",
                                 .against = {"ps", "ps(per-tensor)"},
                                 .published = "18.7-56.4 %",
                                 .source = "BML, Figure 6"};

// 1 - 6/8 = 25 %, 1 - 6/24 = 75 %, 1 - 9/12 = 25 %; batches are not mixed.
TEST(Gains, PairsRowsThatDifferInTheAlgorithmOnly) {
  const std::vector<record::Row> rows{
      job_row({0, "ps", "single-switch(9)", 128, 8e-3}),
      job_row({1, "ps(per-tensor)", "single-switch(9)", 128, 24e-3}),
      job_row({2, "bml", "bcube(3,2)", 128, 6e-3}),
      job_row({3, "ps", "single-switch(9)", 256, 12e-3}),
      job_row({4, "bml", "bcube(3,2)", 256, 9e-3})};
  const std::vector<Gain> found = gains(kFigure6, rows);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].percent, 25, 1e-9);
  EXPECT_NEAR(found[1].percent, 25, 1e-9);
  EXPECT_NEAR(found[2].percent, 75, 1e-9);
  EXPECT_THAT(format_gains(kFigure6, rows),
              AllOf(HasSubstr("75.0"), HasSubstr("18.7-56.4 % (BML, Figure 6)")));
  EXPECT_EQ(to_json(kFigure6, rows).at("pairs").size(), 3u);
}

TEST(Gains, OfSchedulesStaysOnOneWiring) {
  const record::GainQuery query{
      .by = record::GainQuery::By::schedule, .of = "optimum", .against = {"wfbp"}};
  const std::vector<record::Row> rows{
      job_row({0, "ring", "single-switch(8)", 64, 2e-3, "wfbp"}),
      job_row({1, "ring", "single-switch(4)", 64, 4e-3, "wfbp"}),
      job_row({2, "ring", "single-switch(8)", 64, 1e-3, "optimum"})};
  const std::vector<Gain> found = gains(query, rows);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].percent, 50, 1e-9);
}

TEST(Gains, WithoutPairsItSaysNothing) {
  EXPECT_EQ(format_gains(kFigure6,
                         std::vector<record::Row>{job_row({0, "ps", "single-switch(9)", 1, 1})}),
            "");
}

}  // namespace
}  // namespace gradwire::report
