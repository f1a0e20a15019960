#include "results/report/answer/answer.h"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/flags.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::stored_point;
using testing::stored_run;

using Times = std::vector<double>;
const Times kTwo{2.344e-3, 2.345e-3, 2.345e-3, 2.346e-3, 2.347e-3};
const Times kFour{4.680e-3, 4.681e-3, 4.682e-3, 4.684e-3, 4.7e-3};

/// bcube(3,2) by default; 1,000,000 float32 are 3.815 MiB.
record::StoredPoint point(const std::string& algorithm, Times gst,
                          const std::string& wiring = "bcube(3,2)",
                          record::Backing backing = record::Backing::emulated) {
  record::StoredPoint made = stored_point(algorithm, std::move(gst), backing);
  made.row.configuration.wiring = wiring;
  return made;
}

record::StoredPoint simulated(const std::string& algorithm, double gst) {
  return point(algorithm, {gst}, "bcube(3,2)", record::Backing::simulated);
}

json answer_of(std::vector<record::StoredPoint> points) {
  const std::vector<record::StoredRun> runs{stored_run(std::move(points))};
  return answer_json(runs);
}

std::string sentence_of(std::vector<record::StoredPoint> points) {
  return answer_of(std::move(points))["sentence"];
}

// Five samples of 2.345 ms are clearly less than five of 4.682 ms. Of the 25 ratios the 3rd is
// 4.682/2.347 and the 23rd 4.7/2.345.
TEST(Answer, NamesWinnerRunnerUpRatioAndSurety) {
  const std::string said =
      sentence_of({point("ring", kFour, "single-switch(9)"), point("bml", kTwo),
                   point("ps", {9e-3, 9e-3, 9e-3, 9e-3, 9e-3}, "single-switch(9)")});
  EXPECT_EQ(said,
            "Emulated, bml on bcube(3,2) synchronizes lenet5 (3.815 MiB) between 9 hosts in the "
            "least time, 2.345 ms (flagged: few-samples); ring on single-switch(9) takes 4.682 ms "
            "(flagged: few-samples), 1.997 times as long (96.8 % sure to be 1.995 to 2.004 times; "
            "5 and 5 samples).");
}

TEST(Answer, SaysThatOneSampleIsOneSample) {
  EXPECT_THAT(sentence_of({point("ring", {2e-3}), point("bml", {1e-3})}),
              HasSubstr("2 times as long (1 and 1 samples, so how much they vary is not known)"));
}

TEST(Answer, SaysHowFarFewSamplesLieApart) {
  EXPECT_THAT(sentence_of({point("ring", {2.2e-3, 2.3e-3, 2.4e-3}),
                           point("bml", {1.0e-3, 1.1e-3, 1.2e-3})}),
              HasSubstr("3 and 3 samples, all of one lie below all of the other, 5 times the wider "
                        "range apart"));
}

TEST(Answer, ClaimsNothingWhereSamplesMix) {
  const json answer = answer_of(
      {point("ring", testing::times(20, 1.001e-3)), point("bml", testing::times(20, 1e-3))});
  EXPECT_THAT(answer["sentence"].get<std::string>(),
              HasSubstr("that is not clearly less than the next: ring takes"));
  EXPECT_FALSE(answer["comparisons"][0]["lead"]["clear"]);
}

// What all have in common stands once: the wiring.
TEST(Answer, NamesTheOneWiringOnce) {
  EXPECT_THAT(sentence_of({simulated("ring", 2e-3), simulated("bml", 1e-3)}),
              StartsWith("Simulated, bml synchronizes lenet5 (3.815 MiB) between 9 hosts "
                         "on bcube(3,2) in the least time, 1 ms; ring takes 2 ms"));
}

// Three sizes: bml wins two, by 2 and 3 times; ring the third.
TEST(Answer, CountsWinsOfSeveralComparisons) {
  std::vector<record::StoredPoint> points;
  for (const auto& [elements, ring, bml] :
       {std::tuple(1000, 2e-3, 1e-3), std::tuple(2000, 6e-3, 2e-3), std::tuple(3000, 1e-3, 5e-3)}) {
    for (const auto& [name, time] : {std::pair("ring", ring), std::pair("bml", bml)}) {
      points.push_back(simulated(name, time));
      points.back().row.configuration.elements = static_cast<std::uint64_t>(elements);
    }
  }
  const json answer = answer_of(points);
  EXPECT_EQ(answer["comparisons"].size(), 3u);
  EXPECT_THAT(answer["sentence"].get<std::string>(),
              HasSubstr("bml takes the least time in 2 of 3 comparisons of algorithms (clearly: "
                        "the next takes 2 to 3 times as long), ring in 1 (clearly)"));
}

// Measured rows lead; simulated ones are compared beside them.
TEST(Answer, IsOfWhatWasMeasured) {
  const json answer = answer_of(
      {point("ring", kFour), point("bml", kTwo), simulated("ring", 1e-3), simulated("bml", 9e-3)});
  EXPECT_THAT(answer["sentence"].get<std::string>(), HasSubstr("Emulated, bml"));
  ASSERT_EQ(answer["comparisons"].size(), 2u);
  EXPECT_TRUE(answer["comparisons"][0]["leads"]);
  EXPECT_FALSE(answer["comparisons"][1]["leads"]);
  EXPECT_EQ(answer["comparisons"][0]["rows"], json({1, 0}));
}

// The schedule of training jobs is a question of its own, answered by iterations.
TEST(Answer, OfSchedulesIsByIterations) {
  std::vector<record::StoredPoint> points;
  for (const auto& [schedule, time] : {std::pair("wfbp", 4e-3), std::pair("mg-wfbp", 3e-3)}) {
    points.push_back(simulated("ring", 1e-3));
    points.back().row.configuration.schedule = schedule;
    points.back().iterations = {time};
    points.back().row.training =
        record::TrainingRow{.iteration = record::summarize(points.back().iterations)};
  }
  EXPECT_THAT(sentence_of(points),
              HasSubstr("mg-wfbp has the shortest iterations of lenet5 (3.815 MiB) between 9 hosts "
                        "with ring on bcube(3,2), 3 ms; wfbp takes 4 ms, 1.333 times as long"));
}

// The bound is 0.9 ms, the median 1.8 ms, and it was simulated to take 1.5 ms.
TEST(Answer, OfOnePointComparesItWithBoundAndSimulation) {
  const std::string said =
      sentence_of({point("ring", Times(6, 1.8e-3)), simulated("ring", 1.5e-3)});
  EXPECT_THAT(said, HasSubstr("in 1.8 ms (96.9 % sure to be 1.8 ms to 1.8 ms; 6 samples)"));
  EXPECT_THAT(said, HasSubstr("which is 2 times its bound of 900 µs"));
  EXPECT_THAT(said, EndsWith("and 1.2 times the 1.5 ms that were simulated."));
}

TEST(Answer, CoversAllRuns) {
  const std::vector<record::StoredRun> runs{stored_run({point("ring", kFour), point("bml", kTwo)}),
                                            stored_run({point("ring", kFour), point("bml", kTwo)})};
  EXPECT_THAT(
      answer_json(runs)["sentence"].get<std::string>(),
      HasSubstr("bml takes the least time in all 2 comparisons of algorithms (clearly: the "
                "next takes 1.997 times as long); 2 of these rest on flagged rows (few-samples)."));
}

/// The same point with wrong sums, or with a flag.
record::StoredPoint with_wrong_sums(record::StoredPoint made) {
  made.row.wrong = 3;
  return made;
}
record::StoredPoint with_flag(record::StoredPoint made, std::string_view flag) {
  made.row.flags.emplace_back(flag);
  return made;
}

// The fastest row is of results that are not the sum: that is no synchronization.
TEST(Answer, LeavesOutWrongSumsAndSaysSo) {
  const json answer = answer_of({point("ring", kFour), point("bml", kTwo),
                                 with_wrong_sums(point("ps", {1e-3, 1e-3, 1e-3, 1e-3, 1e-3}))});
  EXPECT_EQ(answer["comparisons"][0]["rows"], json({1, 0}));
  EXPECT_THAT(answer["sentence"].get<std::string>(), StartsWith("Emulated, bml synchronizes"));
  EXPECT_THAT(answer["sentence"].get<std::string>(),
              EndsWith("; 1 row is left out, as its sums are wrong."));
}

TEST(Answer, OfWrongSumsAloneSaysOnlyThat) {
  const json answer = answer_of({with_wrong_sums(point("ring", kFour)),
                                 with_flag(point("bml", kTwo), record::kFlagWrongData)});
  EXPECT_EQ(answer["sentence"], "2 rows are left out, as their sums are wrong.");
  EXPECT_EQ(answer["comparisons"], json::array());
}

// As the gate of `gradwire compare` has it: such times are not compared, however far apart.
TEST(Answer, IsNotClearWhereAFlagSpoilsATime) {
  for (const bool winner : {true, false}) {
    record::StoredPoint bml = point("bml", kTwo), ring = point("ring", kFour);
    (winner ? bml : ring).row.flags.emplace_back(record::kFlagCpuBound);
    const json answer = answer_of({ring, bml});
    EXPECT_FALSE(answer["comparisons"][0]["lead"]["clear"]) << winner;
    EXPECT_EQ(answer["comparisons"][0]["lead"]["surety"], "spoiled");
    const std::string said = answer["sentence"];
    EXPECT_THAT(said, HasSubstr("; that is not clearly less than the next: ring takes"));
    EXPECT_THAT(said, HasSubstr(" (spoiled: cpu-bound; flagged: few-samples)"));
  }
}

// A third row does not count.
TEST(Answer, IsClearWhereAFlagSpoilsALaterRow) {
  const json answer = answer_of({point("ring", kFour), point("bml", kTwo),
                                 with_flag(point("ps", Times(5, 9e-3)), record::kFlagDisturbed)});
  EXPECT_TRUE(answer["comparisons"][0]["lead"]["clear"]);
}

// bml wins both sizes; one win is on a spoiled row and is not clear.
TEST(Answer, TellsSpoiledRowsApartFromFlaggedOnes) {
  record::StoredPoint small_ring = point("ring", kFour), small_bml = point("bml", kTwo);
  small_ring.row.configuration.elements = small_bml.row.configuration.elements = 1000;
  const std::string said = sentence_of({point("ring", kFour), point("bml", kTwo), small_ring,
                                        with_flag(small_bml, record::kFlagPacketLoss)});
  EXPECT_THAT(said, HasSubstr("(clearly in 1: the next takes 1.997 times as long)"));
  EXPECT_THAT(said, HasSubstr("; 1 of these rests on spoiled rows (packet-loss); 1 of these rests "
                              "on flagged rows (few-samples)."));
}

TEST(Answer, TellsSpoiledRowsThatDoNotCompete) {
  const std::vector<record::StoredRun> runs{
      stored_run({with_flag(point("ring", Times(6, 2e-3)), record::kFlagSlowLinks)}),
      stored_run({point("ring", Times(6, 3e-3))}), stored_run({point("ring", kFour)})};
  EXPECT_THAT(answer_json(runs)["sentence"].get<std::string>(),
              EndsWith("; 1 of these is spoiled (slow-links); 1 of these is flagged "
                       "(few-samples)."));
}

// 1.0002 is not written as 1, and what differs by rounding alone takes as long.
TEST(Answer, WritesSmallLeads) {
  EXPECT_THAT(sentence_of({simulated("ring", 1.0002e-3), simulated("bml", 1e-3)}),
              HasSubstr("1.00020 times as long"));
  EXPECT_THAT(sentence_of({simulated("ring", 1e-3 * (1 + 1e-12)), simulated("bml", 1e-3)}),
              HasSubstr("ring takes as long, 1 ms"));
}

TEST(Answer, OfNothingSaysSo) {
  EXPECT_EQ(answer_of({})["sentence"], "Nothing was measured yet.");
  EXPECT_EQ(answer_json({})["comparisons"], json::array());
}

}  // namespace
}  // namespace gradwire::report
