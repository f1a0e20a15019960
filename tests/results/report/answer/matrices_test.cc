#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/flags.h"
#include "results/report/answer/answer.h"
#include "tests/results/report/compare/stored_runs.h"

/// Answers of runs with more than one place and more than one schedule.
namespace gradwire::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::stored_point;
using testing::stored_run;

using Points = std::vector<record::StoredPoint>;

json answer_of_layers(Points points) {
  const std::vector<record::StoredRun> runs{stored_run(std::move(points))};
  return answer_json(runs);
}

std::string sentence_of_layers(Points points) {
  return answer_of_layers(std::move(points))["sentence"];
}

/// A training job of 1,000,000 elements on bcube(3,2).
struct JobPoint {
  std::string algorithm;
  std::string schedule;
  std::vector<double> iterations;  ///< seconds
  std::string workload = "lenet5";
  std::uint64_t batch = 0;
  record::Backing backing = record::Backing::simulated;
};

record::StoredPoint made(const JobPoint& job) {
  record::StoredPoint made = stored_point(job.algorithm, job.iterations, job.backing);
  made.row.configuration.workload = job.workload;
  made.row.configuration.schedule = job.schedule;
  made.row.configuration.batch = job.batch;
  made.row.training = record::TrainingRow{};
  made.row.training->iteration = record::summarize(job.iterations);
  made.iterations = job.iterations;
  return made;
}

Points points_of(std::initializer_list<JobPoint> jobs) {
  Points points;
  for (const JobPoint& job : jobs) points.push_back(made(job));
  return points;
}

/// ring and bml, wfbp and synceasgd, measured once each, in seconds in this order.
void add_batch(Points& points, std::uint64_t batch, const std::vector<double>& seconds) {
  std::size_t at = 0;
  for (const char* algorithm : {"ring", "bml"}) {
    for (const char* schedule : {"wfbp", "synceasgd"}) {
      points.push_back(made({.algorithm = algorithm,
                             .schedule = schedule,
                             .iterations = {seconds[at++]},
                             .batch = batch,
                             .backing = record::Backing::emulated}));
    }
  }
}

// Two places and two schedules ask one question: which of the four. 4 over 1 is the best elsewhere.
TEST(AnswerOfMatrices, IsOneSentenceAndNotTwoTallies) {
  const json answer = answer_of_layers(points_of({{"ring", "wfbp", {5e-3}},
                                                  {"ring", "mg-wfbp", {4e-3}},
                                                  {"bml", "wfbp", {1.5e-3}},
                                                  {"bml", "mg-wfbp", {1e-3}}}));
  EXPECT_EQ(answer["sentence"],
            "Simulated, bml with mg-wfbp has the shortest iterations of lenet5 (3.815 MiB) between "
            "9 hosts, 1 ms; elsewhere ring with mg-wfbp takes 4 ms, 4 times as long (computed, so "
            "without chance); with another schedule bml with wfbp takes 1.5 ms, 1.5 times as long "
            "(computed, so without chance).");
  const json& matrix = answer["comparisons"].back();
  EXPECT_EQ(matrix["question"], "matrix");
  EXPECT_EQ(matrix["rows"], json({3, 2, 1, 0}));
  std::size_t leading = 0;
  for (const json& comparison : answer["comparisons"]) leading += comparison["leads"] ? 1 : 0;
  EXPECT_EQ(leading, 1u) << "its rows and columns stand in the table alone";
}

TEST(AnswerOfMatrices, NamesTheBestOfEach) {
  EXPECT_EQ(sentence_of_layers(points_of({{"ring", "wfbp", {5e-3}},
                                          {"ring", "mg-wfbp", {4e-3}},
                                          {"bml", "wfbp", {1e-3}},
                                          {"bml", "mg-wfbp", {1e-3}},
                                          {"ring", "wfbp", {2e-3}, "vgg19"},
                                          {"ring", "mg-wfbp", {3e-3}, "vgg19"},
                                          {"bml", "wfbp", {6e-3}, "vgg19"},
                                          {"bml", "mg-wfbp", {5e-3}, "vgg19"}})),
            "Simulated between 9 hosts, lenet5 (3.815 MiB) goes fastest by bml with wfbp or "
            "mg-wfbp, in 1 ms (the best elsewhere takes 4 times as long); vgg19 (3.815 MiB) goes "
            "fastest by ring with wfbp, in 2 ms (the best elsewhere takes 2.5 times as long).");
}

// The same wins in every batch, by one sample each; what takes 1.3 times as long is no tie.
TEST(AnswerOfMatrices, TellsBatchesInOneClause) {
  Points points;
  add_batch(points, 16, {1e-3, 1.3e-3, 2e-3, 2e-3});
  add_batch(points, 32, {2e-3, 2.6e-3, 3e-3, 3e-3});
  EXPECT_EQ(
      sentence_of_layers(points),
      "Emulated between 9 hosts, lenet5 (3.815 MiB) in batches of 16 and 32 goes fastest by "
      "ring with wfbp, in 1 ms and 2 ms (the best elsewhere takes 1.5 to 2 times as long, not "
      "clearly); 2 of these rest on flagged rows (few-samples).");
}

// 0.01 % and nothing: ring and bml take about as long, with the schedule that is named.
TEST(AnswerOfMatrices, TellsTies) {
  Points points;
  add_batch(points, 16, {1e-3, 1.3e-3, 2e-3, 1.0001e-3});
  add_batch(points, 32, {2e-3, 2.0001e-3, 2e-3, 3e-3});
  EXPECT_THAT(
      sentence_of_layers(points),
      HasSubstr("lenet5 (3.815 MiB, batch 16) goes fastest by ring with wfbp, in 1 ms (bml "
                "with synceasgd takes about as long); lenet5 (3.815 MiB, batch 32) goes "
                "fastest by ring with wfbp or synceasgd, in 2 ms (bml with wfbp takes about "
                "as long)"));
}

// A matrix by itself says how sure a tie is.
TEST(AnswerOfMatrices, SaysHowSureATieIs) {
  Points points;
  add_batch(points, 16, {1e-3, 1.3e-3, 1.0001e-3, 2e-3});
  EXPECT_THAT(sentence_of_layers(points),
              HasSubstr("elsewhere bml with wfbp takes about as long, 1 ms (flagged: few-samples) "
                        "(1 and 1 samples, so how much they vary is not known)"));
}

TEST(AnswerOfMatrices, IsInDoubtWhereSamplesMix) {
  Points points = points_of({{"ring", "wfbp", testing::times(20, 1.002e-3)},
                             {"ring", "mg-wfbp", {9e-3, 9e-3}},
                             {"bml", "wfbp", testing::times(20, 1e-3)},
                             {"bml", "mg-wfbp", {9e-3, 9e-3}}});
  for (record::StoredPoint& point : points) {
    point.row.configuration.backing = record::Backing::emulated;
  }
  const std::string said = sentence_of_layers(points);
  EXPECT_THAT(said, HasSubstr("; elsewhere ring with wfbp takes 1.012 ms"));
  EXPECT_THAT(said,
              HasSubstr(", which is not clearly more; with another schedule bml with mg-wfbp"));
}

// What the sentence compares with is a row elsewhere, whose flag is said.
TEST(AnswerOfMatrices, SaysFlagsOfTheBestElsewhere) {
  Points points;
  add_batch(points, 16, {1e-3, 1.1e-3, 2e-3, 3e-3});
  add_batch(points, 32, {1e-3, 1.1e-3, 2e-3, 3e-3});
  points[2].row.flags.emplace_back(record::kFlagCpuBound);
  EXPECT_THAT(sentence_of_layers(points),
              HasSubstr("; 1 of these rests on spoiled rows (cpu-bound)"));
}

// A name of a stored run is text, and never a format.
TEST(AnswerOfMatrices, PrintsBracesOfNames) {
  Points points;
  add_batch(points, 16, {1e-3, 2e-3, 1e-3, 3e-3});
  add_batch(points, 32, {1e-3, 2e-3, 1e-3, 3e-3});
  for (record::StoredPoint& point : points) point.row.configuration.algorithm += "{}";
  EXPECT_THAT(sentence_of_layers(points), HasSubstr("(bml{} with wfbp takes about as long)"));
}

// No clause says which run, how many hosts or which backing it is of: then wins are counted.
TEST(AnswerOfMatrices, CountsWinsOfWhatClausesDoNotTellApart) {
  Points points;
  add_batch(points, 16, {1e-3, 2e-3, 4e-3, 4e-3});
  const std::vector<record::StoredRun> two{stored_run(points), stored_run(points)};
  EXPECT_THAT(answer_json(two)["sentence"].get<std::string>(),
              HasSubstr("ring with wfbp takes the least time in all 2 comparisons"));
  Points fewer = points;
  for (record::StoredPoint& point : fewer) point.row.configuration.ranks = 4;
  points[1].row.flags.emplace_back(record::kFlagCpuBound);  // the second of the first matrix
  points.insert(points.end(), fewer.begin(), fewer.end());
  const std::string said = sentence_of_layers(points);
  EXPECT_THAT(said, HasSubstr("takes the least time in all 2 comparisons"));
  EXPECT_THAT(said, HasSubstr("; 1 of these rests on spoiled rows (cpu-bound)"));
}

// Gradients of another type, or batches that are not known, are no batches of the same.
TEST(AnswerOfMatrices, MergesNothingButBatches) {
  Points points;
  add_batch(points, 0, {1e-3, 2e-3, 4e-3, 4e-3});
  add_batch(points, 16, {1e-3, 2e-3, 4e-3, 4e-3});
  EXPECT_THAT(sentence_of_layers(points), Not(HasSubstr("in batches of")));
  points.clear();
  add_batch(points, 16, {1e-3, 2e-3, 4e-3, 4e-3});
  add_batch(points, 32, {1e-3, 2e-3, 4e-3, 4e-3});
  for (std::size_t i = 4; i < 8; ++i) points[i].row.configuration.type = Dtype::float64;
  EXPECT_THAT(sentence_of_layers(points), Not(HasSubstr("in batches of")));
  for (std::size_t i = 4; i < 8; ++i) {
    points[i].row.configuration.type = Dtype::float32;
    points[i].row.configuration.elements += 1;
  }
  EXPECT_THAT(sentence_of_layers(points), Not(HasSubstr("in batches of")));
}

}  // namespace
}  // namespace gradwire::report
