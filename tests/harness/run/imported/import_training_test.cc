#include "harness/run/imported/import_training.h"

#include <chrono>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "core/text/schemas.h"
#include "results/record/flags.h"
#include "results/record/stored_run.h"

/// What a training program has logged, in a run folder, and what is refused.
namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// In milliseconds, on rank r, which is r ms later than rank 0 in everything: forward from 0, gradients
/// ready at 20 and 30, sums there at 25 and 40.
json line_of(std::size_t iteration, std::size_t rank) {
  const auto ms = [&](std::int64_t time) {
    return (static_cast<std::int64_t>(100 * iteration + rank) + time) * 1'000'000;
  };
  return {{"iteration", iteration},
          {"start_ns", ms(0)},
          {"compute_end_ns", ms(30)},
          {"end_ns", ms(40)},
          {"loss", 4.0 - static_cast<double>(iteration) + static_cast<double>(rank)},
          {"buckets",
           {{{"elements", 300}, {"ready_ns", ms(20)}, {"start_ns", ms(20)}, {"end_ns", ms(25)}},
            {{"elements", 900}, {"ready_ns", ms(30)}, {"start_ns", ms(30)}, {"end_ns", ms(40)}}}}};
}

class ImportTraining : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(logs());
    write(folder_ / "mine.csv",
          "# source: a stopwatch\ntensor,elements,forward_us,backward_us\n"
          "a,900,10000,10000\nb,300,0,10000\n");
    for (std::size_t rank = 0; rank < 2; ++rank) write_log(rank);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  [[nodiscard]] fs::path logs() const { return folder_ / "logs"; }
  [[nodiscard]] fs::path log(std::size_t rank) const {
    return logs() / fmt::format("rank-{}.ndjson", rank);
  }

  /// Three iterations, with whatever `change` makes of line number 1 (who wrote it) to 4.
  void write_log(std::size_t rank,
                 const std::function<void(std::size_t, json&)>& change = {}) const {
    std::vector<json> lines{{{"gradwire-training-log", 1},
                             {"rank", rank},
                             {"ranks", 2},
                             {"wiring", "single-switch(2)"},
                             {"algorithm", "ring"},
                             {"schedule", "wfbp"},
                             {"computing", "two layers"}}};
    for (std::size_t i = 0; i < 3; ++i) lines.push_back(line_of(i, rank));
    std::ofstream file(log(rank));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (change) change(i + 1, lines[i]);
      file << lines[i].dump() << '\n';
    }
  }

  [[nodiscard]] experiment::Experiment experiment(const std::string& schedule = "wfbp") const {
    write(folder_ / "job.yaml",
          fmt::format("gradwire: 1\nname: job\nlink: {{rate: 1Gbit}}\ndilation: 1\n"
                      "wiring: single-switch(2)\nalgorithm: ring\nschedule: {}\n"
                      "compute: {{trace: mine.csv}}\n",
                      schedule));
    return experiment::load_experiment(folder_ / "job.yaml");
  }

  /// The one point of the run that is made of the logs.
  [[nodiscard]] record::StoredPoint imported() const {
    const experiment::Experiment job = experiment();
    const std::vector<TrainingLog> all{read_training_log(logs())};
    const auto points = points_of_logs(prepare(job, record::Backing::emulated), all);
    record::RunFolder folder = record::RunFolder::create(
        {.out = folder_ / "run", .name = "job", .started = {}, .experiment = job.text},
        json{{"version", 1}});
    import_training(job, points.at(0), all[0], folder);
    const record::StoredRun run = record::read_run(folder_ / "run");
    EXPECT_EQ(run.points.size(), 1u);
    return run.points.at(0);
  }

  [[nodiscard]] std::string refusal(const std::string& schedule = "wfbp") const {
    try {
      const std::vector<TrainingLog> all{read_training_log(logs())};
      static_cast<void>(
          points_of_logs(prepare(experiment(schedule), record::Backing::emulated), all));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / fmt::format("gradwire-import-{}", ::getpid());
};

// From the last rank's start: GST is 5 ms of the first bucket and 10 ms of the second, the iteration 40,
// computing 30; three iterations are a job of 120 ms.
TEST_F(ImportTraining, TimesAreThoseOfTheLog) {
  const record::StoredPoint point = imported();
  EXPECT_EQ(point.gst.size(), 3u);
  EXPECT_NEAR(point.row.gst.median, 15e-3, 1e-12);
  ASSERT_TRUE(point.row.training);
  EXPECT_NEAR(point.row.training->iteration.median, 40e-3, 1e-12);
  EXPECT_NEAR(point.row.training->compute.count(), 30e-3, 1e-12);
  EXPECT_NEAR(point.row.training->exposed.count(), 10e-3, 1e-12);
  EXPECT_NEAR(point.row.training->jct.count(), 120e-3, 1e-12);
  EXPECT_EQ(point.row.training->bucket_gst, (std::vector{Seconds(5e-3), Seconds(10e-3)}));
}

// Computing 10 + 20 ms; the first bucket from 20 to 25, the second, of 900 elements, from 30 to 40.
TEST_F(ImportTraining, ThePredictionIsMadeOfTheTraceAndTheBucketsCosts) {
  const record::StoredPoint point = imported();
  const schedule::Timeline& predicted = point.record.training->predicted;
  EXPECT_NEAR(predicted.iteration.count(), 40e-3, 1e-9);
  ASSERT_EQ(predicted.buckets.size(), 2u);
  EXPECT_NEAR(predicted.buckets[0].end.count(), 25e-3, 1e-9);
  EXPECT_EQ(point.record.training->profile,
            "computed: two layers; predicted from measured: a stopwatch");
}

// A program may sum both at once: the second is there with the first, 10 ms after both were ready.
TEST_F(ImportTraining, ABucketMayEndWithTheOneBeforeIt) {
  for (std::size_t rank = 0; rank < 2; ++rank) {
    write_log(rank, [](std::size_t number, json& line) {
      if (number == 1) return;
      const json end = line["end_ns"];
      line["buckets"][0].update({{"ready_ns", line["compute_end_ns"]},
                                 {"start_ns", line["compute_end_ns"]},
                                 {"end_ns", end}});
      line["buckets"][1].update({{"start_ns", end}, {"end_ns", end}});
    });
  }
  const record::StoredPoint point = imported();
  EXPECT_EQ(point.row.training->bucket_gst, (std::vector{Seconds(10e-3), Seconds(0)}));
  // The trace has the first ready at 20 ms, and the second costs nothing more.
  EXPECT_NEAR(point.record.training->predicted.iteration.count(), 30e-3, 1e-7);
}

TEST_F(ImportTraining, SaysThatItsComputingWasReal) {
  const record::StoredPoint point = imported();
  EXPECT_THAT(point.record.key, ::testing::EndsWith("-computed"));
  EXPECT_EQ(point.record.configuration.backing, record::Backing::emulated);
  EXPECT_EQ(point.record.iterations, 3u);
  EXPECT_FALSE(point.row.wrong);
  EXPECT_THAT(record::row_flags(point.row), Contains("not-verified"));
}

// Rank r has r + 1 wrong elements in iteration 1, and none in iteration 2; iteration 0 was not verified.
TEST_F(ImportTraining, CountsWrongElementsOfSumsThatWereVerified) {
  for (std::size_t rank = 0; rank < 2; ++rank) {
    write_log(rank, [rank](std::size_t number, json& line) {
      if (number < 3) return;
      line["verified"] = {
          {"elements", 1200}, {"wrong", number == 3 ? rank + 1 : 0}, {"not_finite", 0}};
    });
  }
  const record::StoredPoint point = imported();
  EXPECT_EQ(point.row.wrong, 3);
  EXPECT_THAT(record::row_flags(point.row), Contains("wrong-data"));
  std::ifstream samples(folder_ / "run" / "samples.ndjson");
  std::vector<json> wrong;
  for (std::string line; std::getline(samples, line);) {
    const json sample = json::parse(line);
    if (sample.contains("wrong")) wrong.push_back(sample["wrong"]);
  }
  EXPECT_THAT(wrong, ElementsAre(json(nullptr), json(3), json(0)));
}

// The mean of 4 - i and 5 - i.
TEST_F(ImportTraining, KeepsTheLossOfEachIteration) {
  EXPECT_THAT(imported().losses, ElementsAre(4.5, 3.5, 2.5));
  std::ifstream samples(folder_ / "run" / "samples.ndjson");
  std::vector<double> losses;
  for (std::string line; std::getline(samples, line);) {
    const json sample = json::parse(line);
    EXPECT_EQ(text::why_invalid(sample, "sample"), std::nullopt);
    losses.push_back(sample.at("training").at("loss"));
  }
  EXPECT_THAT(losses, ElementsAre(4.5, 3.5, 2.5));
}

TEST_F(ImportTraining, RanksAndIterationsMustAgree) {
  write_log(1, [](std::size_t number, json& line) {
    if (number == 1) line["schedule"] = "none";
  });
  EXPECT_THAT(refusal(), HasSubstr("rank-1.ndjson:1:1: schedule is 'none', of rank 0 'wfbp'"));
  write_log(1, [](std::size_t number, json& line) {
    if (number == 3) line["buckets"].erase(1);
  });
  EXPECT_THAT(refusal(),
              HasSubstr("rank-1.ndjson:3:1: has other buckets than iteration 0 of rank 0"));
  write_log(1, [](std::size_t number, json& line) {
    if (number == 4) line["iteration"] = 7;
  });
  EXPECT_THAT(refusal(), HasSubstr("rank-1.ndjson:4:1: is not iteration 2, which was to follow"));
  write_log(1, [](std::size_t number, json& line) {
    if (number == 2) line["compute_end_ns"] = 0;
  });
  EXPECT_THAT(refusal(), HasSubstr("rank-1.ndjson:2:1: has times that go back"));
  write_log(0);
  write(log(1), json{{"gradwire-training-log", 1},
                     {"rank", 1},
                     {"ranks", 2},
                     {"computing", "two layers"},
                     {"wiring", "single-switch(2)"},
                     {"algorithm", "ring"},
                     {"schedule", "wfbp"}}
                    .dump());
  EXPECT_THAT(refusal(), HasSubstr("ends after 0 iterations, rank 0 after 3"));
}

TEST_F(ImportTraining, RefusesWhatIsNoLog) {
  write_log(0, [](std::size_t number, json& line) {
    if (number == 1) line["gradwire-training-log"] = 2;
  });
  EXPECT_THAT(refusal(), HasSubstr("rank-0.ndjson:1:1: is of version 2; this program reads 1"));
  write_log(0, [](std::size_t number, json& line) {
    if (number == 2) line["loss"] = "small";
  });
  EXPECT_THAT(refusal(), HasSubstr("rank-0.ndjson:2:1: "));
  write(log(0), "{\"gradwire-tr");
  EXPECT_THAT(refusal(), HasSubstr("rank-0.ndjson:1:1: is no JSON"));
  fs::remove(log(0));
  EXPECT_THAT(refusal(), HasSubstr("rank-0.ndjson"));
}

TEST_F(ImportTraining, TheExperimentMustHaveThePoint) {
  EXPECT_THAT(refusal("none"), HasSubstr("no point of the experiment is ring on single-switch(2), "
                                         "schedule wfbp"));
  EXPECT_EQ(refusal(), "");
}

TEST_F(ImportTraining, BucketsMustBeTheTracesTensors) {
  write(folder_ / "mine.csv", "tensor,elements,forward_us,backward_us\na,800,1,1\nb,400,1,1\n");
  try {
    static_cast<void>(imported());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("bucket 0 has 300 elements, which are not those of layers"));
  }
}

}  // namespace
}  // namespace gradwire::run
